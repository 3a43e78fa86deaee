import { act } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allKept, keep } from "~/shared/kept/kept";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aWire } from "~/testing/a-wire";
import { show } from "~/testing/show";
import { someCaches } from "~/testing/some-caches";
import { aReport, aServer, ourWiring, outsideWiring } from "~/testing/some-wiring";
import type { ExternalWiring, InternalWiring } from "../types";
import { useKeptVehicle } from "./use-kept";

const VALUE = "2022,448,2469";
const FAILED = { isError: true };

type Answer<T> = { data?: T; isError: boolean };

function Vehicle({
  own,
  outside,
}: {
  own: Answer<InternalWiring>;
  outside: Answer<ExternalWiring>;
}) {
  useKeptVehicle(VALUE, "2022 Toyota Camry", own, outside);
  return null;
}

const told = <T,>(data: T) => ({ data, isError: false });

/** Opens the page of the vehicle, and stays until what comes after it is done. */
async function opened(own: Answer<InternalWiring>, outside: Answer<ExternalWiring>) {
  show(<Vehicle own={own} outside={outside} />);
  await act(() => vi.runAllTimersAsync());
  return (await allKept())[0];
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("caches", someCaches());
  aServer({ "wiring-by-category": [aWire({ function: "Brake", color: "White" })] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("whose wiring is kept, and what a source told before, stand with it", async () => {
  const own = ourWiring({ mirrors_vehicle: { id: 8, name: "2021 Toyota Camry" } });
  const outside = outsideWiring([aWire({ function: "Horn", source: "adsWiring" })]);
  outside.sources = [aReport({ state: "stale" })];
  const kept = await opened(told(own), told(outside));
  expect(kept?.text).toEqual([
    "This vehicle mirrors the 2021 Toyota Camry: its wiring is shown.",
    "Test the hood pin.",
  ]);
  expect(kept?.lacks).toEqual([
    expect.stringMatching(/^iDatawire does not answer at the moment\. .* before: .*2026/),
  ]);
  expect(kept?.sections.map(({ title }) => title)).toEqual([
    "Firstech: Remote Start",
    "iDatawire: LE",
    "3rd Party: LE",
  ]);
});

test("a wire of one trim is kept with it, where the part that it stands in does not say so", async () => {
  const wire = aWire({ function: "Brake", color: "White", trim: "LE" });
  aServer({ "wiring-by-category": [wire, { ...wire, trim: "" }] });
  const outside = outsideWiring([{ ...wire, source: "adsWiring" }]);
  const kept = await opened(told(ourWiring()), told(outside));
  const cells = (kept?.sections ?? []).map(({ rows }) =>
    rows.map((row) => row.cells.map(({ title, value }) => `${title}: ${value}`)),
  );
  expect(cells).toEqual([[["Color: White", "Trim: LE"], ["Color: White"]], [["Color: White"]], []]);
});

test("a vehicle is kept without the sources that could not be asked, which are named", async () => {
  const kept = await opened(told(ourWiring()), FAILED);
  expect(kept?.sections.map(({ title }) => title)).toEqual(["Firstech: Remote Start"]);
  expect(kept?.lacks).toEqual([
    "iDatawire does not answer at the moment. The other sources are shown.",
    "3rd Party does not answer at the moment. The other sources are shown.",
  ]);
});

test("nor without our own wires, unless it says so", async () => {
  const kept = await opened(FAILED, told(outsideWiring()));
  expect(kept?.sections.map(({ title }) => title)).toEqual(["iDatawire: LE", "3rd Party: LE"]);
  expect(kept?.lacks).toEqual([
    "Firstech does not answer at the moment. The other sources are shown.",
  ]);
});

test("what was kept as a whole stays when a part cannot be asked", async () => {
  const at = "2026-01-01T00:00:00.000Z";
  const title = "2022 Toyota Camry";
  await keep({ id: `vehicle:${VALUE}`, kind: "vehicle", title, at, text: [], sections: [] });
  expect((await opened(told(ourWiring()), FAILED))?.at).toBe(at);
  expect((await opened(FAILED, told(outsideWiring())))?.at).toBe(at);
  expect((await opened(told(ourWiring()), told(outsideWiring())))?.at).not.toBe(at);
});

test("where nothing could be asked, nothing is kept", async () => {
  expect(await opened(FAILED, FAILED)).toBeUndefined();
});

test("a category of ours that cannot be asked costs itself alone, and is named", async () => {
  const categories = ["Remote Start", "Alarm"].map((title) => ({ uuid: title, title, count: 1 }));
  const own = ourWiring({ wiring_categories: categories });
  const wires = [aWire({ function: "Brake", color: "White" })];
  aServer({
    "wiring-by-category": ({ categoryId }: { categoryId: string }) =>
      categoryId === "Alarm" ? wires : new Error(categoryId),
  });
  const kept = await opened(told(own), told(outsideWiring()));
  expect(kept?.sections.map(({ title }) => title)).toEqual([
    "Firstech: Alarm",
    "iDatawire: LE",
    "3rd Party: LE",
  ]);
  expect(kept?.text).toEqual(["Test the hood pin."]);
  expect(kept?.lacks).toEqual(["Could not be loaded: Remote Start"]);
});

test("nor does it take the place of what was kept as a whole", async () => {
  const at = "2026-01-01T00:00:00.000Z";
  const title = "2022 Toyota Camry";
  await keep({ id: `vehicle:${VALUE}`, kind: "vehicle", title, at, text: [], sections: [] });
  aServer({ "wiring-by-category": new Error("away") });
  expect((await opened(told(ourWiring()), told(outsideWiring())))?.at).toBe(at);
});

test("nothing is kept for whoever signs out while the rest is asked for", async () => {
  begin(aPerson(), "token");
  aServer({
    "wiring-by-category": () => {
      end();
      return new Error("signed out");
    },
  });
  expect(await opened(told(ourWiring()), told(outsideWiring()))).toBeUndefined();
});
