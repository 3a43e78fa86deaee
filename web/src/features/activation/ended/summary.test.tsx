import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aLaterActivation, anActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import type { ActivationView } from "../types";
import { Summary } from "./summary";

test("a run of version 1, whose view knows nothing of later steps, is still summed up", () => {
  const { view } = anActivation("complete-activation");
  const { vehicle, connection, connection_verified, firmware_checked } = view.facts;
  const { firmware, commands, welcomed, activated } = view.facts;
  const old: ActivationView["facts"] = {
    vehicle,
    connection,
    connection_verified,
    firmware_checked,
    firmware,
    commands,
    welcomed,
    activated,
  };
  show(<Summary view={{ ...view, facts: old }} />);
  expect(screen.getByText("Not verified")).toBeVisible();
  expect(screen.queryByText("Replaces")).toBeNull();
});

test("a run that verifies no connection is told of none", () => {
  const plan = ["power-on-device", "purchase-plan", "complete-activation"];
  const { view } = aLaterActivation("complete-activation", { view: { plan } });
  show(<Summary view={view} />);
  expect(screen.queryByText("Connection")).toBeNull();
});

test("what version 2's steps did is summed up", () => {
  const { view } = aLaterActivation("complete-activation", {
    facts: {
      replaced: {
        old_device_key: "FT-X1-30000001",
        new_device_key: "FT-X1-00000042",
        verified: true,
      },
      tables: { controller: { saved_at: "2026-11-21T10:00:00Z", changed: 2 } },
      keylocker_mode: "standalone",
      features: { siren_enabled: true, valet_mode_enabled: false },
      hardwired: { output: "Trunk", input: "Low" },
    },
  });
  show(<Summary view={view} />);
  for (const words of [
    "2 changes",
    "Standalone",
    "Siren",
    "Output Trunk, input Low",
    "FT-X1-30000001 Verified",
  ])
    expect(screen.getAllByRole("definition").map((one) => one.textContent)).toContain(words);
});
