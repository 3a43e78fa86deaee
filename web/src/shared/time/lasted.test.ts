import { expect, test } from "vitest";
import { lasted } from "./lasted";

test.each([
  [0, "0 sec"],
  [420, "0.4 sec"],
  [42_000, "42 sec"],
  [310_000, "5 min 10 sec"],
  [7_200_000, "2 hr"],
  [266_400_000, "3 days 2 hr"],
])("%i ms read %s", (ms, text) => {
  expect(lasted("en", ms)).toBe(text);
});
