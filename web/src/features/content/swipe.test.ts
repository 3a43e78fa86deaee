import { expect, test } from "vitest";
import { swiped } from "./swipe";

test.each([
  [100, 131, -1],
  [131, 100, 1],
  [100, 130, 0],
  [130, 100, 0],
  [100, 100, 0],
])("from %i to %i turns %i", (from, to, turns) => {
  expect(swiped(from, to)).toBe(turns);
});
