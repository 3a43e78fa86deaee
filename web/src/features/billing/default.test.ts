import { expect, test } from "vitest";
import { aBankAccount, aCard } from "~/testing/a-payment-method";
import { withDefault } from "./default";

test("exactly one method is the default after a change, and it is shown", () => {
  const methods = {
    results: [
      aCard({ id: "a", isMain: true }),
      aCard({ id: "b" }),
      aBankAccount({ id: "c", isHidden: true }),
    ],
    allowed: { cards: true, bank: true, cod: true, terms: true },
    creditAvailable: null,
  };
  const after = withDefault(methods, "c");
  expect(after.results.filter(({ isMain }) => isMain).map(({ id }) => id)).toEqual(["c"]);
  expect(after.results.some(({ isHidden }) => isHidden)).toBe(false);
  expect(methods.results[0]?.isMain).toBe(true);
});
