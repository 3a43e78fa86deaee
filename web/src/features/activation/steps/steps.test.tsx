import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/a-run-on-screen";
import { aLaterActivation } from "~/testing/an-activation";
import { show } from "~/testing/show";
import { HardwireX1max } from "./hardwire-x1max";
import { KeylockerMode } from "./keylocker-mode";
import { PurchasePlan } from "./purchase-plan";
import { ReplaceDevice } from "./replace-device";
import { SystemSettings } from "./system-settings";

test("a device is not replaced by itself, and the SIM digits stay in no draft", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("replace-device"));
  show(<ReplaceDevice run={run} />);
  const serial = screen.getByLabelText("Serial number of the new device");
  await userEvent.type(serial, "ft-x1-00000042");
  await userEvent.click(screen.getByRole("button", { name: "Replace the device" }));
  expect(await screen.findByText("This is the device that is to be replaced")).toBeVisible();
  await userEvent.clear(serial);
  await userEvent.type(serial, "ft-x1-00054321");
  await userEvent.type(screen.getByLabelText(/Last 5 digits/), "54321");
  await userEvent.click(screen.getByRole("button", { name: "Replace the device" }));
  expect(asked).toEqual([
    {
      type: "SUBMIT",
      data: { new_device_key: "FT-X1-00054321", iccid_last_digits: "54321" },
    },
  ]);
  expect(localStorage.getItem("activation_state")).toContain("FT-X1-00054321");
  expect(localStorage.getItem("activation_state")).not.toContain('"54321"');
});

test("the KeyLocker's mode has to be chosen when it reports none", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("keylocker-mode"));
  show(<KeylockerMode run={run} />);
  expect(screen.getByText("The KeyLocker has not reported yet.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Set the mode" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Required field");
  await userEvent.click(screen.getByRole("radio", { name: /Standalone/ }));
  await userEvent.click(screen.getByRole("button", { name: "Set the mode" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { mode: "standalone" } }]);
});

test("the KeyLocker's status is shown, with a dash for what it did not send", () => {
  const keylocker = {
    key_present: true,
    mode: "add-on" as const,
    roof_locked: false,
    roof_open: null,
    version: "2.0.1",
  };
  const { run } = aRunOnScreen(aLaterActivation("keylocker-mode", { facts: { keylocker } }));
  show(<KeylockerMode run={run} />);
  const status = screen.getByRole("region", { name: "KeyLocker status" });
  expect(status).toHaveTextContent(
    "KeyLocker statusModeAdd-onKey presentYesRoof lockedNoRoof open–Version2.0.1",
  );
  expect(screen.getByRole("radio", { name: /Add-on/ })).toBeChecked();
});

test("a setting shows the device's word and is written alone", async () => {
  const { run, asked } = aRunOnScreen(
    aLaterActivation("system-settings", {
      allowed: ["SUBMIT", "ACT"],
      facts: { features: { siren_enabled: true } },
      view: { toggles: ["siren_enabled", "valet_mode_enabled"] },
    }),
  );
  show(<SystemSettings run={run} />);
  const siren = within(screen.getByRole("group", { name: "Siren" }));
  expect(siren.getByRole("radio", { name: "On" })).toBeChecked();
  const valet = within(screen.getByRole("group", { name: "Valet mode" }));
  expect(valet.getByText("Not reported")).toBeVisible();
  await userEvent.click(siren.getByRole("radio", { name: "Off" }));
  expect(asked).toEqual([{ type: "SET_FEATURE", feature: "siren_enabled", enabled: false }]);
  expect(siren.getByRole("radio", { name: "On" })).toBeChecked();
});

test("a setting is changed by the keyboard alone", async () => {
  const { run, asked } = aRunOnScreen(
    aLaterActivation("system-settings", {
      allowed: ["SUBMIT", "ACT"],
      facts: { features: { siren_enabled: true } },
      view: { toggles: ["siren_enabled"] },
    }),
  );
  show(<SystemSettings run={run} />);
  await userEvent.tab();
  expect(screen.getByRole("radio", { name: "On" })).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  expect(asked).toEqual([{ type: "SET_FEATURE", feature: "siren_enabled", enabled: false }]);
});

test("while one setting is saved no other can be", async () => {
  const { run, asked } = aRunOnScreen(
    aLaterActivation("system-settings/busy", {
      facts: { features: { siren_enabled: true }, saving_feature: "siren_enabled" },
      view: { toggles: ["siren_enabled"] },
    }),
  );
  show(<SystemSettings run={run} />);
  expect(screen.getByText("Saving")).toBeVisible();
  await userEvent.click(screen.getByRole("radio", { name: "Off" }));
  expect(asked).toEqual([]);
});

test("hardwired lines are saved together", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("hardwire-x1max"));
  show(<HardwireX1max run={run} />);
  await userEvent.selectOptions(screen.getByLabelText("Output"), "Starter Kill");
  await userEvent.selectOptions(screen.getByLabelText("Input"), "High/Low");
  await userEvent.click(screen.getByRole("button", { name: "Save the lines" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { output: "Starter Kill", input: "High/Low" } }]);
});

test("without a plan the step is passed by with a reason", async () => {
  const { run, asked } = aRunOnScreen(
    aLaterActivation("purchase-plan", { allowed: ["SKIP", "BACK"] }),
  );
  show(<PurchasePlan run={run} />);
  await userEvent.click(screen.getByRole("button", { name: "Go on without" }));
  const dialog = await screen.findByRole("dialog", { name: "Skip this step?" });
  await userEvent.type(within(dialog).getByLabelText("Reason"), "The owner buys it");
  await userEvent.click(within(dialog).getByRole("button", { name: "Skip" }));
  expect(asked).toEqual([{ type: "SKIP", reason: "The owner buys it" }]);
});
