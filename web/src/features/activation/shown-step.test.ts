import { expect, test } from "vitest";
import { shownStep } from "./shown-step";

const plan = ["one", "two", "three"];

test.each([
  ["one", "one"],
  ["two", "two"],
  ["three", "two"],
  ["unknown", "two"],
  [undefined, "two"],
])("at step two, %s in the address shows %s", (asked, shown) => {
  expect(shownStep(plan, "two", asked)).toBe(shown);
});
