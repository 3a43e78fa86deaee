import { expect, test } from "vitest";
import { readCents } from "./amounts";

test.each([
  ["32", 32],
  ["7", 7],
  [".32", 32],
  ["0.07", 7],
  ["0.3", 30],
  ["$0.32", 32],
  ["0,32 $", 32],
  ["0", undefined],
  ["0.00", undefined],
  ["1.32", undefined],
  ["132", undefined],
  ["", undefined],
  ["many", undefined],
])("%s means %s cents", (text, cents) => {
  expect(readCents(text)).toBe(cents);
});
