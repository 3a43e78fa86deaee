import { expect, test } from "vitest";
import { MissingVehicleDetails, vehicleIn, vehicleOf } from "../address";
import { fitsCheckDigit } from "../vin";
import { entryOf, remembered } from "./recent";

const entry = (n: number) => ({ name: `${n} A B`, value: `${n},1,2` });

test("five are kept, the oldest goes, and a repeated one stays where it is", () => {
  const held = [2001, 2002, 2003, 2004, 2005].map(entry);
  expect(remembered(held, entry(2002))).toBe(held);
  expect(remembered(held, entry(2006))).toEqual([2002, 2003, 2004, 2005, 2006].map(entry));
});

test("an entry needs year and both ids and names", () => {
  const whole = { year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" };
  expect(entryOf(whole)).toEqual({ name: "2022 Toyota Camry", value: "2022,448,2469" });
  for (const gap of Object.keys(whole))
    expect(entryOf({ ...whole, [gap]: undefined })).toBe(undefined);
});

test("a value of the history has three parts that name a vehicle", () => {
  expect(vehicleIn("2022,448,2469")).toEqual({ year: 2022, makeId: 448, modelId: 2469 });
  for (const value of ["", "2022,448", "1939,1,1", "2022,0,1", "2022,1,x", "2022,1,1e99"]) {
    expect(() => vehicleIn(value)).toThrow(MissingVehicleDetails);
    expect(vehicleOf(value)).toBe(undefined);
  }
});

test("the check digit is judged as it is typed", () => {
  expect(fitsCheckDigit("4T1B11HK9NA100001")).toBe(true);
  expect(fitsCheckDigit("1M8GDM9AXKP042788")).toBe(true);
  expect(fitsCheckDigit("4T1B11HK0NA100001")).toBe(false);
});
