import { expect, it } from "vitest";
import { amountIn, amountTyped } from "./amount";

/** As a keypad brings it, sign by sign. */
function typed(text: string): string {
  return [...text].reduce((before, sign) => amountTyped(before + sign), "");
}

it("takes digits, dot and minus alone", () => {
  expect(amountTyped("$1,234.50 CAD")).toBe("1234.50");
  expect(amountTyped("-12a.3")).toBe("-12.3");
});

it.each([
  ["99,50", "99.50"],
  ["1500,00", "1500.00"],
  ["99.50", "99.50"],
  [",05", ".05"],
])("reads %s, typed sign by sign, as %s", (text, read) => {
  expect(typed(text)).toBe(read);
});

it.each([
  ["1 234,50 $", "1234.50"],
  ["1.234,50", "1234.50"],
  ["1,234,567", "1234567"],
  ["1,234.50", "1234.50"],
  ["99,50", "99.50"],
])("reads %s, pasted, as %s", (text, read) => {
  expect(amountTyped(text)).toBe(read);
});

it("never makes more of a slip than was typed", () => {
  expect(typed("12.5.")).toBe("12.5.");
  expect(typed("1,234")).toBe("1.234"); // refused: parts of a cent
});

it.each(["", "-1", "0", "0.00", "1.001", "1.2.3", "1-2", "."])("finds none in %j", (text) => {
  expect(amountIn(text)).toBeUndefined();
});

it("is read in dollars and cents", () => {
  expect(amountIn("98")).toBe(98);
  expect(amountIn("98.5")).toBe(98.5);
  expect(amountIn(".05")).toBe(0.05);
});

it("lies within its bounds", () => {
  const bounds = { least: 0, most: 100 };
  expect(["0", "100", "100.01"].map((text) => amountIn(text, bounds))).toEqual([0, 100, undefined]);
});
