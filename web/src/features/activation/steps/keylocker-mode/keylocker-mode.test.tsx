import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/a-run-on-screen";
import { aLaterActivation } from "~/testing/an-activation";
import { show } from "~/testing/show";
import { KeylockerMode } from "./keylocker-mode";

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

test("a mode that was taken back before it was written is chosen still", () => {
  const kept = { step: "keylocker-mode", mode: "standalone" } as const;
  const { run } = aRunOnScreen(
    aLaterActivation("keylocker-mode", { facts: { keylocker_mode: "add-on" }, view: { kept } }),
  );
  show(<KeylockerMode run={run} />);
  expect(screen.getByRole("radio", { name: /Standalone/ })).toBeChecked();
});
