import { expect, test } from "vitest";
import { soughtAmount } from "./amount";

test.each([
  ["1,234.56", "1234.56"],
  ["1.234,56", "1234.56"],
  ["1234,56", "1234.56"],
  ["1,234", "1234"],
  ["1,234,567.8", "1234567.8"],
  [",5", "0.5"],
  ["12.", "12"],
  [".", ""],
  ["", ""],
])("the amount %s is sent as %s", (typed, sent) => expect(soughtAmount(typed)).toBe(sent));
