import { expect, test } from "vitest";
import { aBankAccount, aCard } from "~/testing/a-payment-method";
import { withDefault } from "./default";

test("exactly one method is the default after a change", () => {
  const methods = {
    results: [aCard({ id: "a", isMain: true }), aCard({ id: "b" }), aBankAccount({ id: "c" })],
    allowed: { cards: true, bank: true, cod: true, terms: true },
    creditAvailable: null,
  };
  const after = withDefault(methods, "c");
  expect(after.results.filter(({ isMain }) => isMain).map(({ id }) => id)).toEqual(["c"]);
  expect(methods.results[0]?.isMain).toBe(true);
});
