import type { Wire } from "~/features/vehicles/types";

const TEXTS =
  "function color location pin_out polarity category odr limited notes pin connector connector_color connector_pins component component_location note trim";

/** A row of our own reference, empty but for what is given. */
export function aWire(more: Partial<Wire> = {}): Wire {
  const empty = Object.fromEntries(TEXTS.split(" ").map((name) => [name, ""]));
  return {
    ...empty,
    images: [],
    source: "internal",
    fetched_at: "2026-01-01T00:00:00Z",
    ...more,
  } as Wire; // every text column is there
}
