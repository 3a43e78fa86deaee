import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { methodsQuery } from "./queries";
import type { PaymentMethods } from "./types";

const ALLOWED = { cards: true, bank: true, cod: true, terms: true };

function pauseAfter(looks: number, methods: Partial<PaymentMethods>): number | false | undefined {
  const queries = new QueryClient();
  const told = { results: [], allowed: ALLOWED, creditAvailable: null, ...methods };
  for (let look = 0; look < looks; look += 1)
    queries.setQueryData(methodsQuery.queryKey, told as PaymentMethods);
  const query = queries.getQueryCache().find({ queryKey: methodsQuery.queryKey });
  const { refetchInterval } = methodsQuery;
  if (typeof refetchInterval !== "function" || !query) throw new Error("nothing to ask");
  return refetchInterval(query as never);
}

test("a credit that nobody has told yet is asked for again, a few times", () => {
  expect(pauseAfter(1, {})).toBe(2000);
  expect(pauseAfter(4, {})).toBe(2000);
  expect(pauseAfter(5, {})).toBe(false);
});

test("what is known, or is nobody's here, is not asked for again", () => {
  expect(pauseAfter(1, { creditAvailable: 20 })).toBe(false);
  expect(pauseAfter(1, { allowed: { ...ALLOWED, terms: false } })).toBe(false);
});
