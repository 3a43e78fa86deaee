import { expect, test } from "vitest";
import { mayExpire, readExpiry, writeExpiry } from "./expiry";

const TODAY = new Date(2026, 10, 21);

test.each([
  ["0330", { expMonth: 3, expYear: 2030 }],
  ["12/27", { expMonth: 12, expYear: 2027 }],
  ["1330", undefined],
  ["0030", undefined],
  ["330", undefined],
  ["", undefined],
])("%s is read as an expiry", (text, expiry) => {
  expect(readExpiry(text)).toEqual(expiry);
});

test.each([
  [11, 2026, true],
  [10, 2026, false],
  [1, 2051, true],
  [1, 2052, false],
  [12, 2025, false],
])("a card may expire in %i/%i: %s", (expMonth, expYear, verdict) => {
  expect(mayExpire({ expMonth, expYear }, TODAY)).toBe(verdict);
});

test("what was read is written the same", () => {
  expect(writeExpiry(3, 2030)).toBe("0330");
  expect(writeExpiry(null, null)).toBe("");
});
