import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { begin } from "~/shared/session/session";
import { aFirmwareRun } from "~/testing/a-firmware-run";
import { aPerson } from "~/testing/a-person";
import { aRunOnScreen } from "~/testing/a-run-on-screen";
import { aLaterActivation } from "~/testing/an-activation";
import { showPage } from "~/testing/show";
import type { Action } from "../calls";
import type { Run } from "../session-hook";
import { CheckFirmware } from "../steps/check-firmware/check-firmware";

/** The step of the firmware, after this failed. */
async function after(failed: Action, can: object, again?: () => void) {
  const firmware = aFirmwareRun("weak", can).view;
  const { run, asked } = aRunOnScreen(
    aLaterActivation("check-firmware/waiting", { facts: { firmware } }),
  );
  const failing: Partial<Run> = { problem: new Problem(502, {}), failed, again, dismiss: vi.fn() };
  begin(aPerson({ roles: ["owner"], is_owner: true }), "t");
  await showPage(<CheckFirmware run={{ ...run, ...failing }} />);
  return asked;
}

test("what was asked of the firmware is told beside its button alone", async () => {
  await after({ type: "FIRMWARE_CANCEL" }, { can_retry: true, can_cancel: true });
  const note = await screen.findByRole("alert", { name: "Failed: Cancel the update" });
  expect(screen.getAllByRole("alert")).toEqual([note]);
  expect(note).toHaveFocus();
  const button = screen.getByRole("button", { name: "Cancel the update" });
  expect(button.parentElement).toContainElement(note);
});

test("overruling once more is the same with the same reason, and another with another", async () => {
  const again = vi.fn();
  const failed = { type: "FIRMWARE_OVERRULE", runId: "f1", reason: "On a charger" } as const;
  const asked = await after(failed, { can_overrule: true }, again);
  const note = await screen.findByRole("alert", { name: "Failed: Update it all the same" });
  const tryAgain = within(note).getByRole("button", { name: "Try again" });
  const reason = screen.getByRole("textbox", { name: /^Reason/ });
  await userEvent.type(reason, "On a charger");
  await userEvent.click(tryAgain);
  expect(again).toHaveBeenCalledTimes(1);
  await userEvent.type(reason, " now");
  await userEvent.click(tryAgain);
  expect(asked).toEqual([{ type: "FIRMWARE_OVERRULE", runId: "f1", reason: "On a charger now" }]);
});
