import type { Schemas } from "~/shared/api/client";

export type Quote = Schemas["Quote"];
export type QuoteLine = Quote["lines"][number];
export type PlacementAnswer = Schemas["PlacementAnswer"];

/** An address as a quote or a placement freezes it. */
export type Postal = NonNullable<Quote["shipping_address"]>;
