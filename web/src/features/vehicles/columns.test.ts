import { expect, test } from "vitest";
import { inksOf } from "~/shared/vehicles/wiring/stroke";
import { aWire } from "~/testing/a-wire";
import { byFunction, comparedText, differing, disagreements, holds, isOfTrim } from "./columns";
import type { Wire } from "./types";

test("a row is found by any column that its source shows", () => {
  expect(holds(aWire({ function: "Brake", location: "Column" }), " brAKE ")).toBe(true);
  expect(holds(aWire({ function: "Brake", location: "Column" }), "column")).toBe(true);
  expect(holds(aWire({ function: "Brake", connector: "C7" }), "c7")).toBe(false);
  expect(holds(aWire({ source: "adsWiring", connector: "C7" }), "c7")).toBe(true);
});

test("a row without a trim is of all", () => {
  expect(isOfTrim(aWire(), "LE")).toBe(true);
  expect(isOfTrim(aWire({ trim: "LE" }), "LE")).toBe(true);
  expect(isOfTrim(aWire({ trim: "SE" }), "LE")).toBe(false);
  expect(isOfTrim(aWire({ trim: "SE" }), "")).toBe(true);
});

test("sources disagree when two of them have no colour in common", () => {
  const brake = (source: Wire["source"], color: string) =>
    aWire({ function: "Brake", source, color });
  expect(disagreements([brake("internal", "White"), brake("adsWiring", "Red")])).toEqual(
    new Set(["Brake"]),
  );
  const same = [brake("internal", "White"), brake("adsWiring", "Red"), brake("adsWiring", "WHITE")];
  expect(disagreements(same).size).toBe(0);
  expect(disagreements([brake("internal", "White"), brake("internal", "Red")]).size).toBe(0);
  expect(disagreements([...same, brake("autoMobWiring", "Blue")]).size).toBe(1);
  const both = [brake("internal", "White"), brake("internal", "Red")];
  const outside = [brake("adsWiring", "Red"), brake("autoMobWiring", "White")];
  expect(disagreements([...both, ...outside])).toEqual(new Set(["Brake"]));
});

test("polarity counts as well, and what a source leaves out does not", () => {
  const door = (source: Wire["source"], more: Partial<Wire>) =>
    aWire({ function: "Door", color: "Red", source, ...more });
  const rows = [
    door("internal", { polarity: "+", pin_out: "4", location: "BCM" }),
    door("adsWiring", { connector_pins: "7", component_location: "Kick panel" }),
    door("autoMobWiring", { polarity: "-" }),
  ];
  const told = byFunction(rows).get("Door") ?? new Map();
  expect([...told.keys()]).toEqual(["internal", "adsWiring", "autoMobWiring"]);
  expect(differing(told)).toEqual(new Set(["polarity"]));
  expect(disagreements(rows.slice(0, 2)).size).toBe(0);
  expect(rows.map((row) => comparedText(row, "pin"))).toEqual(["4", "7", ""]);
  expect(rows.map((row) => comparedText(row, "location"))).toEqual(["BCM", "Kick panel", ""]);
});

test("sources that name a function otherwise are held beside each other, each with its own name", () => {
  const ours = aWire({ function: "Brake", color: "White" });
  const theirs = aWire({ function: "BRAKE SWITCH", color: "Red", source: "adsWiring" });
  const told = byFunction([ours, theirs]);
  expect(told.get("BRAKE SWITCH")).toBe(told.get("Brake"));
  expect([...(told.get("Brake")?.keys() ?? [])]).toEqual(["internal", "adsWiring"]);
  expect(disagreements([ours, theirs])).toEqual(new Set(["Brake", "BRAKE SWITCH"]));
  expect(comparedText(theirs, "function")).toBe("BRAKE SWITCH");
});

test("a colour is painted beside its word, and a word that is none is not", () => {
  expect(inksOf("White/Black")).toEqual(["#ffffff", "#1d1d1d"]);
  expect(inksOf("see note")).toEqual([]);
});
