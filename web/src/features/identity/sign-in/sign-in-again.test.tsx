import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end, expire, session } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import SignInAgain from "./sign-in-again";

afterEach(() => {
  vi.restoreAllMocks();
  act(() => end());
});

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

const goOn = () => screen.getByRole("button", { name: "Continue without logging in" });

/** One that comes when the test says so, and is a refusal. */
function anAnswer() {
  let come = (_: Response) => {};
  const promise = new Promise<Response>((answer) => {
    come = answer;
  });
  const refuse = () =>
    come(Response.json({ code: "invalid_code", detail: "No." }, { status: 403 }));
  return { promise, refuse };
}

test("while one is being signed in, neither that nor going on without it can be asked for", async () => {
  const held = anAnswer();
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValueOnce(Response.json({ challenge_id: "c1", mfa_type: "totp", sent_to: null }))
    .mockReturnValueOnce(held.promise);
  begin(aPerson(), "token");
  expire();
  await showPage(<SignInAgain />);
  await userEvent.type(await screen.findByLabelText("Password"), "secret");
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  await userEvent.type(await screen.findByLabelText("Verification code"), "123456");
  await userEvent.dblClick(screen.getByRole("button", { name: "Confirm" }));
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  expect(screen.getByRole("button", { name: "Confirm" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Use another account" })).toBeDisabled();
  expect(goOn()).toBeDisabled();
  held.refuse();
  await vi.waitFor(() => expect(goOn()).toBeEnabled());
});

test("nor can they while the password is looked at", async () => {
  const held = anAnswer();
  vi.spyOn(globalThis, "fetch").mockReturnValueOnce(held.promise);
  begin(aPerson(), "token");
  expire();
  await showPage(<SignInAgain />);
  await userEvent.type(await screen.findByLabelText("Password"), "secret");
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Log in" })).toBeDisabled());
  expect(goOn()).toBeDisabled();
  held.refuse();
  await vi.waitFor(() => expect(goOn()).toBeEnabled());
});
