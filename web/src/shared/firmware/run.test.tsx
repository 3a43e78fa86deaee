import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aFirmwareRun } from "~/testing/runs/a-firmware-run";
import { show } from "~/testing/show";
import { isOffered } from "./flow";
import { FirmwareRun } from "./run";
import type { FirmwareCommand, FirmwareView } from "./types";

const WEAK: Partial<FirmwareView> = {
  weaknesses: [{ what: "battery", reading: 10.4, least: 11.8 }],
};

function showRun(state: string, view: Partial<FirmwareView>, mayOverrule = false) {
  const commands: FirmwareCommand[] = [];
  const firmware = aFirmwareRun(state, view).view;
  show(
    <FirmwareRun
      firmware={firmware}
      offered={(command) => isOffered(firmware, command)}
      can={() => true}
      mayOverrule={mayOverrule}
      onCommand={(command) => commands.push(command)}
    />,
  );
  return commands;
}

test("only what the run allows can be asked", async () => {
  const commands = showRun("waiting_online", {});
  expect(screen.queryByRole("button", { name: "Do it in 8 hours" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Try now" }));
  await userEvent.click(screen.getByRole("button", { name: "Cancel the update" }));
  expect(commands).toEqual([{ type: "RETRY" }, { type: "CANCEL" }]);
});

test("an installer reads what is weak, and who could overrule it", () => {
  showRun("weak", WEAK);
  expect(screen.getByText(/The backup battery has 10.4 V/)).toBeVisible();
  expect(screen.getByText(/An owner of your business/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Update it all the same" })).toBeNull();
});

test("an owner overrules with a reason, and not without", async () => {
  const commands = showRun("weak", WEAK, true);
  await userEvent.click(screen.getByRole("button", { name: "Update it all the same" }));
  expect(screen.getByText("Required field")).toBeVisible();
  expect(commands).toEqual([]);
  await userEvent.type(screen.getByRole("textbox"), "On a charger");
  await userEvent.click(screen.getByRole("button", { name: "Update it all the same" }));
  expect(commands).toEqual([{ type: "OVERRULE", reason: "On a charger" }]);
});

test("a failure is told in words, with the device's own beside them", () => {
  showRun("retry_wait", { error: "flash verification failed" });
  expect(screen.getByText(/found it faulty/)).toHaveTextContent(
    "The device says: flash verification failed",
  );
  showRun("failed", { error: "checksum mismatch" });
  expect(screen.getByText(/was not whole/)).not.toHaveTextContent("fetched again");
  showRun("retry_wait", { error: "The device did not confirm in time." });
  expect(screen.getByText("The device did not confirm in time.")).toBeVisible();
});

test("while a retry waits it can be tried now, put off or cancelled", async () => {
  const commands = showRun("retry_wait", { error: "checksum mismatch" });
  for (const name of ["Try now", "Do it in 8 hours", "Cancel the update"])
    await userEvent.click(screen.getByRole("button", { name }));
  expect(commands.map(({ type }) => type)).toEqual(["RETRY", "DEFER", "CANCEL"]);
});

test("what no device has said is not put into its mouth", () => {
  showRun("retry_wait", { error: "This firmware is not downloaded yet." });
  showRun("failed", { error: "E-4711" });
  expect(screen.getByText(/^The update was refused: /)).toHaveTextContent(
    "The device network says: This firmware is not downloaded yet.",
  );
  expect(screen.getByText("E-4711").closest("p")).toHaveTextContent(
    "The update failed. What was reported: E-4711",
  );
  expect(screen.queryByText(/The device (says|reported)/)).toBeNull();
});

test("whose words they are is told", () => {
  showRun("failed", { error: "E-4711", error_from: "device" });
  expect(screen.getByText("E-4711").closest("p")).toHaveTextContent(
    "The update failed. The device says: E-4711",
  );
  showRun("failed", { error: "quota exceeded", error_from: "network" });
  expect(screen.getByText("quota exceeded").closest("p")).toHaveTextContent(
    "The device network refused the update. The device network says: quota exceeded",
  );
});

test("progress is shown when the device tells it", () => {
  showRun("download_sent", { percent: 40 });
  expect(screen.getByRole("progressbar", { name: "Progress" })).toHaveAttribute("value", "40");
  expect(screen.getByText("40%")).toBeVisible();
});
