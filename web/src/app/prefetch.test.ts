import { expect, test } from "vitest";
import { mayPrefetch } from "./prefetch";

test.each([
  [undefined, true],
  [{ effectiveType: "4g" }, true],
  [{ effectiveType: "3g", saveData: false }, true],
  [{ effectiveType: "2g" }, false],
  [{ effectiveType: "slow-2g" }, false],
  [{ effectiveType: "4g", saveData: true }, false],
])("with a connection of %o prefetching is %s", (connection, expected) => {
  expect(mayPrefetch(connection)).toBe(expected);
});
