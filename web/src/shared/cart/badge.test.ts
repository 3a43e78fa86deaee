import { expect, test } from "vitest";
import { badgeOf } from "./badge";

test.each([
  [0, ""],
  [-1, ""],
  [1, "1"],
  [9, "9"],
  [10, "9+"],
  [4321, "9+"],
])("%i pieces read %s", (count, shown) => {
  expect(badgeOf(count)).toBe(shown);
});
