import * as z from "zod/mini";
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

const vehicle = z.pipe(
  z.string(),
  z.transform((value: string) => {
    const known = vehicleOf(value);
    return known && vehicleValue(known);
  }),
);
const text = z.string().check(z.maxLength(80));

/** Unknown values are dropped, the rest is kept (rulings "Calls"). */
export const wiringAddress = z.object({
  vehicle: z.catch(z.optional(vehicle), undefined),
  slide: z.catch(z.optional(z.enum(SLIDES)), undefined),
  find: z.catch(z.optional(text), undefined),
  trim: z.catch(z.optional(text), undefined),
});
export type WiringAddress = z.infer<typeof wiringAddress>;

export const printAddress = z.object({ vehicle: z.catch(z.optional(vehicle), undefined) });
