import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MissingVehicleDetails, vehicleIn } from "./address";
import { years } from "./years";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("years run from next year down to 1940, each once", () => {
  vi.setSystemTime(new Date("2026-06-15T12:00:00Z"));
  const listed = years().map(({ value, label }) => {
    expect(label).toBe(value);
    return Number(value);
  });
  expect([listed[0], listed[1], listed.at(-1)]).toEqual([2027, 2026, 1940]);
  expect(listed).toHaveLength(2027 - 1940 + 1);
  expect(listed).toEqual([...new Set(listed)].sort((a, b) => b - a));
});

test("the next year begins where the server's does, whatever the clock on the wall says", () => {
  vi.setSystemTime(new Date("2026-12-31T23:59:59Z"));
  expect(years()[0]?.value).toBe("2027");
  expect(() => vehicleIn("2028,448,2469")).toThrow(MissingVehicleDetails);
  vi.setSystemTime(new Date("2027-01-01T00:00:00Z"));
  expect(years()[0]?.value).toBe("2028");
  expect(vehicleIn("2028,448,2469").year).toBe(2028);
  expect(() => vehicleIn("1939,448,2469")).toThrow(MissingVehicleDetails);
});
