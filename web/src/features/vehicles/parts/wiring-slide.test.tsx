import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aWire } from "~/testing/a-wire";
import { show } from "~/testing/show";
import { aReport } from "~/testing/some-wiring";
import type { Group } from "../use-wires";
import { WiringSlide } from "./wiring-slide";

/** A part of a source with a wire of each of these trims; each part has a function of its own. */
function aGroup(title: string, source: Group["source"], trims: readonly string[]): Group {
  const wires = trims.map((trim) => aWire({ function: `Brake of ${title}`, source, trim }));
  return { id: title, title, source, wires };
}

const OUTSIDE = ["LE", "SE"].map((trim) => aGroup(trim, "adsWiring", [trim, trim]));

function slide(groups: readonly Group[], trim: string, pending = false) {
  const shared = { all: [], mirrored: undefined, report: aReport() };
  return show(<WiringSlide groups={groups} trim={trim} pending={pending} {...shared} />);
}

const chips = () => screen.queryAllByRole("button", { name: /\d$|–$/ });

test("the rows of a trim are shown without another choice, beside how many of them each part has", () => {
  const outside = slide(OUTSIDE, "SE");
  expect(chips().map((chip) => chip.textContent)).toEqual(["SE 2"]);
  expect(screen.getAllByRole("rowheader", { name: /^Brake of SE/ })).toHaveLength(2);
  outside.unmount();
  slide(
    [aGroup("Lights", "internal", ["LE"]), aGroup("Doors", "internal", ["LE", "SE", ""])],
    "SE",
  );
  expect(chips().map((chip) => chip.textContent)).toEqual(["Doors 2"]);
  expect(screen.getAllByRole("rowheader", { name: /^Brake of Doors/ })).toHaveLength(2);
});

test("without a trim all parts are there", () => {
  slide(OUTSIDE, "");
  expect(chips().map((chip) => chip.textContent)).toEqual(["LE 2", "SE 2"]);
});

test("a source that has only other trims says so, one without any wire that too", () => {
  const others = slide(OUTSIDE, "XLE");
  expect(screen.getByText("This source has no wiring for the trim XLE.")).toBeVisible();
  others.unmount();
  slide([aGroup("LE", "adsWiring", [])], "XLE");
  expect(screen.getByText("This source has no wiring for this vehicle.")).toBeVisible();
});

test("what is still loaded, or could not be, has no such word", () => {
  const lights = aGroup("Lights", "internal", []);
  const waiting = slide([lights], "SE", true);
  expect(screen.queryByText(/has no wiring/)).toBeNull();
  waiting.unmount();
  slide([{ ...lights, isLacking: true }], "SE");
  expect(chips().map((chip) => chip.textContent)).toEqual(["Lights –"]);
  expect(screen.queryByText(/has no wiring/)).toBeNull();
});

test("rows of an outside source that are of no trim stand under a name", () => {
  slide([{ ...aGroup("", "adsWiring", [""]), id: "adsWiring:" }], "");
  expect(chips().map((chip) => chip.textContent)).toEqual(["All trims 1"]);
  expect(screen.getByRole("region", { name: "Wiring: All trims" })).toBeVisible();
});
