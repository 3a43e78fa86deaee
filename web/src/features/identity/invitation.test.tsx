import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { AcceptInviteScreen, DeclineInviteScreen } from "./invitation";

const INVITED = { business: "Smith Audio", email: "ann@example.com", has_account: true };

afterEach(() => vi.restoreAllMocks());

test.each([
  ["accepted", AcceptInviteScreen, "Accept"],
  ["declined", DeclineInviteScreen, "Decline"],
])("a link that could not be read is read again, and can be %s", async (_, Screen, button) => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed"));
  await showPage(<Screen token="t" />);
  const again = await screen.findByRole("button", { name: "Try again" });
  fetched.mockResolvedValue(Response.json(INVITED));
  await userEvent.click(again);
  expect(await screen.findByRole("button", { name: button })).toBeVisible();
});

test("a link that holds no more is not read again", async () => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(
    Response.json(
      { code: "not_found", detail: "This link is not valid any more." },
      { status: 404 },
    ),
  );
  await showPage(<AcceptInviteScreen token="t" />);
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
