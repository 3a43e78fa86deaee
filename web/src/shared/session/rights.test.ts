import { expect, test } from "vitest";
import { aPerson } from "~/testing/a-person";
import { runsBusiness } from "./rights";

test.each([
  ["an owner", { is_owner: true }, true],
  ["a rep", { is_sales_rep: true }, true],
  ["a retired owner", { is_owner: true, is_retired: true }, false],
  ["a retired rep", { is_sales_rep: true, is_retired: true }, false],
  ["an installer", {}, false],
])("whether %s runs a business", (_, more, expected) => {
  const now = { state: "signed-in", user: aPerson(more), token: "t" } as const;
  expect(runsBusiness(now)).toBe(expected);
});
