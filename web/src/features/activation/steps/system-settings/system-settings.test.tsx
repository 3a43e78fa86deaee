import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import { SystemSettings } from "./system-settings";

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

test("a setting that was refused says so at its row, named and focused, and nowhere else", async () => {
  const { run } = aRunOnScreen(
    aLaterActivation("system-settings", {
      allowed: ["SUBMIT", "ACT"],
      view: { toggles: ["siren_enabled", "valet_mode_enabled"] },
    }),
  );
  const failed = { type: "SET_FEATURE", feature: "siren_enabled", enabled: false } as const;
  show(
    <SystemSettings run={{ ...run, problem: new Problem(409, {}), failed, dismiss: vi.fn() }} />,
  );
  const note = await screen.findByRole("alert", { name: "Failed: Siren" });
  expect(screen.getAllByRole("alert")).toEqual([note]);
  expect(note).toHaveFocus();
  expect(screen.getByRole("group", { name: "Siren" })).toContainElement(note);
});
