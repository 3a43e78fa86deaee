import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aFirmwareRun } from "~/testing/runs/a-firmware-run";
import { anActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import { FirmwareBeside } from "./firmware-beside";

const PLAN = ["check-firmware", "system-settings", "device-testing", "complete-activation"];

/** What stands beside the settings after an update that ended so. */
function afterUpdate(state: string) {
  const answer = anActivation("system-settings", { version: 3 });
  const facts = { ...answer.view.facts, firmware: aFirmwareRun(state).view };
  const view = { ...answer.view, plan: PLAN, beside: "failed" as const, facts };
  show(<FirmwareBeside view={view} />);
  return screen.getByRole("alert").textContent;
}

test("another try is promised after an update that failed and can be tried again", () => {
  expect(afterUpdate("failed")).toBe(
    "The firmware was not updated. Before the tests you can try again, or go on without it.",
  );
});

test("an update that cannot be tried again leaves going on without it, or its check", () => {
  expect(afterUpdate("cancelled")).toBe(
    "The firmware was not updated. Before the tests you can go on without it, or go back to the check of the firmware, which begins it again.",
  );
});
