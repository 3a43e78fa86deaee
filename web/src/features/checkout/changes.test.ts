import { expect, test } from "vitest";
import { aQuote } from "~/testing/shop/a-placement";
import { changesBetween } from "./changes";
import type { Quote } from "./types";

function changed(line: Partial<Quote["lines"][number]>, more: Partial<Quote> = {}): Quote {
  const quote = aQuote(more);
  return { ...quote, lines: quote.lines.map((one) => ({ ...one, ...line })) };
}

test("an order that is what was looked at needs no yes", () => {
  expect(
    changesBetween(aQuote(), aQuote({ quote_hash: "other", po_number: "PO 1" })),
  ).toBeUndefined();
});

test("a price, what comes when and what cannot be bought are told line by line", () => {
  const found = changesBetween(
    aQuote(),
    changed({ unit_price: 11, now: 1, later: 2, fault: "not_for_purchase" }, { total: 54 }),
  );
  expect(found).toEqual({
    lines: [
      {
        name: "FTX T-Harness",
        sku: "FT-IT-0001-STD",
        price: { before: 10, after: 11 },
        parts: { now: 1, later: 2 },
        gone: true,
      },
    ],
    total: { before: 50.73, after: 54 },
  });
});

test("another total alone is a change", () => {
  expect(changesBetween(aQuote(), aQuote({ total: 51 }))).toEqual({
    lines: [],
    total: { before: 50.73, after: 51 },
  });
});

test("an article more or less is a change", () => {
  expect(changesBetween(aQuote(), aQuote({ lines: [] }))).toEqual({ lines: [] });
});
