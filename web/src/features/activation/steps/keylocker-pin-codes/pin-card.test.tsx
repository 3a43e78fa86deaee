import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { show, showPage } from "~/testing/show";
import type { PinRow } from "../../types";
import { KeylockerPinCodes } from "./keylocker-pin-codes";
import { PinCard } from "./pin-card";

const NONE: PinRow = {
  enabled: false,
  loading: false,
  success: false,
  failed: false,
  duration: null,
};
afterEach(() => {
  vi.restoreAllMocks();
});

const MAY = { allowed: ["SUBMIT", "ACT", "BACK"] };

function shown(slot: "master" | "secondary", row: Partial<PinRow> = {}, allowed = MAY.allowed) {
  const pins = { master: NONE, secondary: NONE, [slot]: { ...NONE, ...row } };
  const { run, asked } = aRunOnScreen(
    aLaterActivation("keylocker-pin-codes", { facts: { pins }, allowed }),
  );
  show(<PinCard run={run} slot={slot} />);
  return asked;
}

test("takes digits alone, sends them once and forgets them", async () => {
  const asked = shown("master");
  const field = screen.getByLabelText("Pin");
  await userEvent.type(field, "48a15 16");
  expect(field).toHaveValue("481516");
  expect(field).toHaveAttribute("type", "password");
  await userEvent.selectOptions(screen.getByLabelText("Stays entered for"), "5 min");
  await userEvent.click(screen.getByRole("button", { name: "Save the master pin" }));
  expect(asked).toEqual([{ type: "SET_PIN", slot: "master", pin: "481516", duration: 2 }]);
  expect(field).toHaveValue("");
  expect(JSON.stringify({ ...localStorage })).not.toContain("481516");
});

test("a pin that is too short is not sent", async () => {
  const asked = shown("secondary");
  await userEvent.type(screen.getByLabelText("Pin"), "123");
  await userEvent.click(screen.getByRole("button", { name: "Save the secondary pin" }));
  expect(screen.getByText("Must have 4 to 8 digits")).toBeVisible();
  expect(asked).toEqual([]);
});

test("can be looked at while it is typed", async () => {
  shown("master");
  await userEvent.type(screen.getByLabelText("Pin"), "4815");
  await userEvent.click(screen.getByRole("button", { name: "Show the pin" }));
  expect(screen.getByLabelText("Pin")).toHaveAttribute("type", "text");
});

test.each<[Partial<PinRow>, string, string]>([
  [{ loading: true, enabled: true }, "Saving", "Set"],
  [{ success: true, enabled: true }, "Saved", "Set"],
  [{ failed: true }, "Refused: nothing was changed", "Not set"],
  [{ loading: true }, "Deleting", "Not set"],
  [{ success: true }, "Deleted", "Not set"],
])("a slot that is %o says %s and %s", (row, last, enabled) => {
  shown("secondary", row);
  expect(screen.getByText(last)).toBeVisible();
  expect(screen.getByText(enabled)).toBeVisible();
});

test("the secondary pin is deleted with the master pin", async () => {
  const asked = shown("secondary", { enabled: true });
  await userEvent.click(screen.getByRole("button", { name: "Delete the secondary pin" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete the secondary pin?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(within(dialog).getByText("Required field")).toBeVisible();
  await userEvent.type(within(dialog).getByLabelText("Master pin"), "1234");
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(asked).toEqual([{ type: "DELETE_PIN", master_pin: "1234" }]);
});

test("nothing can be sent while the step is busy", async () => {
  const asked = shown("master", { loading: true }, ["ABANDON"]);
  expect(screen.getByRole("button", { name: "Save the master pin" })).toBeDisabled();
  expect(screen.getByLabelText("Pin")).toBeDisabled();
  expect(asked).toEqual([]);
});

test("the default pin is set without being known here, where there is one", async () => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(
    Response.json({ features: { default_pins: true } }),
  );
  const asked = shown("secondary");
  await userEvent.click(
    await screen.findByRole("button", { name: "Set the default secondary pin" }),
  );
  expect(asked).toEqual([{ type: "SET_PIN", slot: "secondary", duration: 1 }]);
});

test("a pin that was refused says so at its card, named and focused, and nowhere else", async () => {
  const { run } = aRunOnScreen(aLaterActivation("keylocker-pin-codes", MAY));
  const failed = { type: "SET_PIN", slot: "secondary", duration: 1 } as const;
  await showPage(
    <KeylockerPinCodes run={{ ...run, problem: new Problem(409, {}), failed, dismiss: vi.fn() }} />,
  );
  const note = await screen.findByRole("alert", { name: "Failed: Save the secondary pin" });
  expect(screen.getAllByRole("alert")).toEqual([note]);
  expect(note).toHaveFocus();
  expect(screen.getByRole("region", { name: "Secondary pin" })).toContainElement(note);
});
