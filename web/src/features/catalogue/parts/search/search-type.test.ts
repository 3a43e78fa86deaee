import { expect, test } from "vitest";
import { ALL, keptBy, narrowedBy, typeOf } from "./search-type";

test.each([
  [ALL, { brands: [], categories: [] }],
  ["c:rf-kit", { brands: [], categories: ["rf-kit"] }],
  ["b:ftx", { brands: ["ftx"], categories: [] }],
])("%s narrows to what it is read from", (type, narrowed) => {
  expect(narrowedBy(type)).toEqual(narrowed);
  expect(typeOf(narrowed)).toBe(type);
});

test("what one choice cannot say reads as all", () => {
  expect(typeOf({ brands: ["ftx"], categories: ["rf-kit"] })).toBe(ALL);
  expect(typeOf({ brands: ["ftx", "maestro"], categories: [] })).toBe(ALL);
  expect(typeOf({ brands: ["approved"], categories: [] })).toBe(ALL);
});

test("a new term keeps the filters, and another choice of what to search in drops them", () => {
  const present = { brands: ["ftx"], categories: ["rf-kit"] };
  expect(keptBy(ALL, present)).toEqual(present);
  expect(keptBy("c:security", present)).toEqual({ brands: [], categories: ["security"] });
  expect(keptBy(ALL, { brands: ["ftx"], categories: [] })).toEqual({ brands: [], categories: [] });
});
