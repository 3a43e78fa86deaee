import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Tables that show no list of rows, and what they show. */
const NO_LISTS: Record<string, string> = {
  "src/features/checkout/cart/parts/pad-table.tsx": "a pad to type into",
  "src/features/plans/parts/comparison.tsx": "plans side by side",
  "src/features/vehicles/parts/side-by-side.tsx": "one function as each source tells it",
  "src/features/vehicles/parts/wire-table.tsx": "wires, which are read, marked and printed",
};

test("a list of rows is a DataTable", () => {
  const found = globSync("src/**/*.tsx").filter((file) =>
    /<(table|Table)\b/.test(readFileSync(file, "utf8")),
  );
  expect(found.sort()).toEqual(
    [...Object.keys(NO_LISTS), "src/shared/ui/lists/data-table.tsx"].sort(),
  );
});
