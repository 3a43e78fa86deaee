import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { begin, end, expire, session } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import SignInAgain from "./sign-in-again";

afterEach(() => act(() => end()));

test("only the button that says so goes on without logging in", async () => {
  begin(aPerson(), "token");
  expire();
  await showPage(<SignInAgain />);
  const dialog = await screen.findByRole("dialog", { name: "Please log in again" });
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
  await userEvent.keyboard("{Escape}");
  await userEvent.click(dialog.closest(".mantine-Modal-inner") ?? document.body);
  expect(session().state).toBe("expired");
  await userEvent.click(screen.getByRole("button", { name: "Continue without logging in" }));
  await waitFor(() => expect(session().state).toBe("anonymous"));
});
