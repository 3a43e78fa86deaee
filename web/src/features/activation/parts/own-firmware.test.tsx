import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import type { FirmwareAnswer } from "~/shared/firmware/types";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aFirmwareRun } from "~/testing/runs/a-firmware-run";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import type { Action } from "../calls";
import type { Run } from "../session-hook";
import { CheckFirmware } from "../steps/check-firmware/check-firmware";

/** An activation that waits for this run of the firmware. */
function waitingFor({ view: firmware }: FirmwareAnswer) {
  return aRunOnScreen(aLaterActivation("check-firmware/waiting", { facts: { firmware } }));
}

/** The step of the firmware, after this failed. */
async function after(failed: Action, again?: () => void) {
  const { run, asked } = waitingFor(aFirmwareRun("weak"));
  const failing: Partial<Run> = { problem: new Problem(502, {}), failed, again, dismiss: vi.fn() };
  begin(aPerson({ roles: ["owner"], is_owner: true }), "t");
  await showPage(<CheckFirmware run={{ ...run, ...failing }} />);
  return asked;
}

test("what was asked of the firmware is told beside its button alone", async () => {
  await after({ type: "FIRMWARE_CANCEL" });
  const note = await screen.findByRole("alert", { name: "Failed: Cancel the update" });
  expect(screen.getAllByRole("alert")).toEqual([note]);
  expect(note).toHaveFocus();
  const button = screen.getByRole("button", { name: "Cancel the update" });
  expect(button.parentElement).toContainElement(note);
});

test.each([
  [
    "that the chart has no way for",
    aFirmwareRun("download_sent", { allowed: ["RETRY_NOW", "CANCEL"] }),
  ],
  ["that the run does not allow", aFirmwareRun("retry_wait", { allowed: ["CANCEL"] })],
])("what is asked of the firmware is no button %s", async (_, firmware) => {
  await showPage(<CheckFirmware run={waitingFor(firmware).run} />);
  expect(screen.getByRole("button", { name: "Cancel the update" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "Try now" })).toBeNull();
  expect(screen.queryByText(/This page is older/)).toBeNull();
});

test("while something is on its way nothing is asked of the firmware", async () => {
  const { run } = waitingFor(aFirmwareRun("retry_wait"));
  await showPage(<CheckFirmware run={{ ...run, held: () => "under-way" }} />);
  expect(screen.getByRole("button", { name: "Try now" })).toBeDisabled();
});

test("firmware that stands where this page knows nothing of says that the page is older", async () => {
  await showPage(
    <CheckFirmware run={waitingFor(aFirmwareRun("polishing", { allowed: ["CANCEL"] })).run} />,
  );
  expect(screen.getByText(/This page is older/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Cancel the update" })).toBeNull();
});

test("overruling once more is the same with the same reason, and another with another", async () => {
  const again = vi.fn();
  const failed = { type: "FIRMWARE_OVERRULE", runId: "f1", reason: "On a charger" } as const;
  const asked = await after(failed, again);
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
