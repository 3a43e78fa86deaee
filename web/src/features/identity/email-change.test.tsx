import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { showPage } from "~/testing/show";
import { AcceptEmailScreen, DeclineEmailScreen } from "./email-change";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["accept", <AcceptEmailScreen key="accept" token="t" />],
  ["decline", <DeclineEmailScreen key="decline" token="t" />],
])("a link to %s that works no longer offers nothing more", async (verb, page) => {
  refusing(`/v1/auth/email-change/${verb}`, { code: "link_ended", status: 410 });
  await showPage(page);
  await userEvent.click(screen.getByRole("button"));
  expect(await screen.findByText("This link is no longer valid.")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("an address that is taken by now can be asked for again", async () => {
  refusing("/v1/auth/email-change/accept", { code: "email_taken", status: 409, detail: "Taken" });
  await showPage(<AcceptEmailScreen token="t" />);
  await userEvent.click(screen.getByRole("button"));
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(screen.getByRole("button", { name: "Use this address" })).toBeEnabled();
});
