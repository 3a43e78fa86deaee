import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { namesIn } from "./functions";
import type { Wire } from "./types";

type Text = {
  [Name in keyof Wire]: NonNullable<Wire[Name]> extends string ? Name : never;
}[keyof Wire];
export type Column = { key: Text; title: MessageDescriptor };

const FUNCTION: Column = { key: "function", title: msg`Function` };
const COLOR: Column = { key: "color", title: msg`Color` };
const LOCATION: Column = { key: "location", title: msg`Location` };
const POLARITY: Column = { key: "polarity", title: msg`Polarity` };
const CATEGORY: Column = { key: "category", title: msg`Category` };

/** Of which trim a row is, where nothing above it says so. */
export const TRIM: Column = { key: "trim", title: msg`Trim` };

/** What each source tells, in its own order (devices spec 3, "Wiring detail columns"). Pictures stand last. */
export const COLUMNS: Record<Wire["source"], readonly Column[]> = {
  internal: [FUNCTION, COLOR, LOCATION, { key: "pin_out", title: msg`Pin out` }, POLARITY],
  adsWiring: [
    FUNCTION,
    COLOR,
    { key: "pin", title: msg`Pin` },
    { key: "connector", title: msg`Connector` },
    { key: "connector_color", title: msg`Connector color` },
    { key: "connector_pins", title: msg`Connector pins` },
    { key: "component", title: msg`Component` },
    { key: "component_location", title: msg`Component location` },
    { key: "note", title: msg`Note` },
  ],
  autoMobWiring: [
    FUNCTION,
    COLOR,
    LOCATION,
    POLARITY,
    CATEGORY,
    { key: "odr", title: msg`ODR` },
    { key: "limited", title: msg`Limited` },
    { key: "notes", title: msg`Notes` },
  ],
};

/** Where rows of any category stand together, ours say theirs: nothing else tells a wire of a push-to-start from a key's. */
export const MIXED_COLUMNS: typeof COLUMNS = {
  ...COLUMNS,
  internal: [FUNCTION, CATEGORY, ...COLUMNS.internal.filter((column) => column !== FUNCTION)],
};

/** What tells a row from others of its function and source. */
export const TOLD_APART_BY = ["category", "trim"] as const;

/** Whether a row has the words, in any column. */
export function holds(wire: Wire, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return COLUMNS[wire.source].some(({ key }) => String(wire[key]).toLowerCase().includes(wanted));
}

/** Whether a row is of the trim; one without a trim is of all. */
export function isOfTrim(row: Pick<Wire, "trim">, trim: string): boolean {
  return trim === "" || row.trim === "" || row.trim === trim;
}

/** What every source tells of a wire, so that sources can be held beside each other. */
export const COMPARED = [
  FUNCTION,
  COLOR,
  POLARITY,
  LOCATION,
  { key: "pin", title: msg`Pin` },
] as const;

/** A colour or a polarity is one or another; places and pins are told in words of each source's own. */
const JUDGED = ["color", "polarity"] as const;

type Told = ReadonlyMap<Wire["source"], readonly Wire[]>;

/** What each source tells of a function, by every name that it is written with. */
export function byFunction(wires: readonly Wire[]): ReadonlyMap<string, Told> {
  const told = new Map<string, Map<Wire["source"], Wire[]>>();
  const byWritten = new Map<string, Told>();
  const nameOf = namesIn(wires);
  for (const wire of wires) {
    const name = nameOf(wire.function);
    const sources = told.get(name) ?? new Map<Wire["source"], Wire[]>();
    told.set(name, sources);
    byWritten.set(wire.function, sources);
    sources.set(wire.source, [...(sources.get(wire.source) ?? []), wire]);
  }
  return byWritten;
}

/** Which columns of a function two sources share no value of; what a source leaves out says nothing. */
export function differing(told: Told): ReadonlySet<string> {
  const differ = JUDGED.filter((key) => {
    const sources = [...told.values()]
      .map((rows) => new Set(rows.map((row) => row[key].toLowerCase()).filter(Boolean)))
      .filter(({ size }) => size > 0);
    return sources.some((one, place) =>
      sources.slice(place + 1).some((other) => ![...other].some((value) => one.has(value))),
    );
  });
  return new Set(differ);
}

/** A compared column of a row; outside sources have names of their own for a pin and a place. */
export function comparedText(wire: Wire, key: (typeof COMPARED)[number]["key"]): string {
  if (key === "pin") return wire.pin || wire.connector_pins || wire.pin_out;
  if (key === "location") return wire.location || wire.component_location;
  return wire[key];
}

/** What a source tells in a compared column; where that is several things, each with the categories and trims that it is of. */
export function valuesOf(
  rows: readonly Wire[],
  key: (typeof COMPARED)[number]["key"],
): { text: string; of: string }[] {
  const told = new Map<string, Set<string>>();
  for (const row of rows) {
    const text = comparedText(row, key);
    const of = TOLD_APART_BY.map((name) => row[name]).filter(Boolean);
    told.set(text, (told.get(text) ?? new Set()).add(of.join(" · ")));
  }
  return [...told].map(([text, of]) => ({
    text,
    of: told.size > 1 ? [...of].filter(Boolean).join(", ") : "",
  }));
}

/** Functions that more than one source tells, and not alike, by every name that they are written with. */
export function disagreements(wires: readonly Wire[]): ReadonlySet<string> {
  const differ = [...byFunction(wires)].filter(([, told]) => differing(told).size > 0);
  return new Set(differ.map(([written]) => written));
}
