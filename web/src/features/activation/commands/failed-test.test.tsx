import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "~/shared/api/client";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aWire } from "~/testing/a-wire";
import { show } from "~/testing/show";
import { aReport, aServer } from "~/testing/some-wiring";
import type { CommandRow } from "../types";
import { FailedTest } from "./failed-test";

const REFUSED = { id: "c1", command: "arm", state: "refused" } as CommandRow;
const CAMRY = { year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" };

function served(more: Partial<Schemas["ServedWires"]> = {}): Schemas["ServedWires"] {
  const wires = [
    aWire({ color: "White/Black", location: "Driver kick panel", pin_out: "Pin 12" }),
    aWire({ color: "Red", component_location: "BCM", pin: "7", source: "adsWiring" }),
  ];
  return {
    vehicle: "2022 Toyota Camry",
    mirrors_vehicle: null,
    checks: ["doors_closed"],
    functions: [{ function: "Door Lock", wires }],
    t_harnesses: [],
    sources: [aReport()],
    ...more,
  };
}

const panel = () => screen.findByRole("region", { name: "After the failed test: Arm" });

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => vi.unstubAllGlobals());

test("the wires that serve a failed test have their colours, places and pins, and their sources", async () => {
  aServer({ "served-wires": served() });
  show(<FailedTest rows={[REFUSED]} vehicle={CAMRY} />);
  await within(await panel()).findByRole("heading", { name: "Door Lock" });
  const rows = within(await panel())
    .getAllByRole("listitem")
    .map((row) => row.textContent);
  expect(rows).toEqual([
    "Doors, hood and trunk are closed.",
    "White/Black Driver kick panel, Pin 12 Firstech",
    "Red BCM, Pin 7 iDatawire",
  ]);
  expect(within(await panel()).queryByText(/does not answer/)).toBeNull();
});

test("what a source told before is said to be that, and one that is away is named", async () => {
  const since = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const sources = [
    aReport({ state: "stale", fetched_at: since }),
    aReport({ source: "autoMobWiring", name: "3rd Party", state: "away", fetched_at: null }),
  ];
  aServer({ "served-wires": served({ sources }) });
  show(<FailedTest rows={[REFUSED]} vehicle={CAMRY} />);
  const told = within(await panel());
  expect(await told.findByRole("status")).toHaveTextContent(
    "iDatawire does not answer at the moment. This is what it told before: 2 days ago",
  );
  expect(told.getByRole("alert")).toHaveTextContent("3rd Party does not answer at the moment.");
});

test("a vehicle that is wired like another one says so", async () => {
  aServer({ "served-wires": served({ mirrors_vehicle: { id: 8, name: "2021 Toyota Camry" } }) });
  show(<FailedTest rows={[REFUSED]} vehicle={CAMRY} />);
  expect(await screen.findByText("Wired like the 2021 Toyota Camry.")).toBeVisible();
});

test("nothing is told where wiring is switched off", async () => {
  aServer({ site: { features: { wiring_diagrams: false } }, "served-wires": served() });
  show(<FailedTest rows={[REFUSED]} vehicle={CAMRY} />);
  await waitFor(() => expect(screen.queryByRole("region")).toBeNull());
});
