import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Wire } from "./types";

type Text = {
  [Name in keyof Wire]: NonNullable<Wire[Name]> extends string ? Name : never;
}[keyof Wire];
export type Column = { key: Text; title: MessageDescriptor };

const FUNCTION: Column = { key: "function", title: msg`Function` };
const COLOR: Column = { key: "color", title: msg`Color` };
const LOCATION: Column = { key: "location", title: msg`Location` };
const POLARITY: Column = { key: "polarity", title: msg`Polarity` };

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
    { key: "category", title: msg`Category` },
    { key: "odr", title: msg`ODR` },
    { key: "limited", title: msg`Limited` },
    { key: "notes", title: msg`Notes` },
  ],
};

export const SOURCE_NAMES: Record<Wire["source"], string> = {
  internal: "Firstech",
  adsWiring: "iDatawire",
  autoMobWiring: "3rd Party",
};

/** Whether a row has the words, in any column. */
export function holds(wire: Wire, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return COLUMNS[wire.source].some(({ key }) => String(wire[key]).toLowerCase().includes(wanted));
}

/** Whether a row is of the trim; one without a trim is of all. */
export function isOfTrim(wire: Wire, trim: string): boolean {
  return trim === "" || wire.trim === "" || wire.trim === trim;
}

/** Functions that more than one source tells, and not in the same colour. */
export function disagreements(wires: readonly Wire[]): ReadonlySet<string> {
  const told = new Map<string, Map<string, Set<string>>>();
  for (const wire of wires) {
    const name = wire.function.toLowerCase();
    const sources = told.get(name) ?? new Map<string, Set<string>>();
    const colors = sources.get(wire.source) ?? new Set<string>();
    told.set(name, sources.set(wire.source, colors.add(wire.color.toLowerCase())));
  }
  const differ = [...told].filter(([, sources]) => {
    const [first, ...others] = [...sources.values()];
    return others.some((colors) => ![...colors].some((color) => first?.has(color)));
  });
  return new Set(differ.map(([name]) => name));
}
