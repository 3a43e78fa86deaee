import { oneOf, query, text } from "~/shared/navigation/query";
import { vehicleOf, vehicleValue } from "~/shared/vehicles/address";

/** The slides of a vehicle: its options, and what each of them opens (devices spec 2). */
const SLIDES = [
  "vehicle",
  "firstech",
  "idatawire",
  "third-party",
  "instructions",
  "modules",
  "t-harnesses",
  "guides",
] as const;
export type Slide = (typeof SLIDES)[number];

function vehicle(given: unknown): string | undefined {
  const known = typeof given === "string" ? vehicleOf(given) : undefined;
  return known && vehicleValue(known);
}
const short = text(/^.{0,80}$/s);

/** Unknown values are dropped, the rest is kept (rulings "Calls"). */
export const wiringAddress = query({
  vehicle,
  slide: oneOf(SLIDES),
  find: short,
  trim: short,
});
export type WiringAddress = ReturnType<typeof wiringAddress>;

export const printAddress = query({ vehicle });
