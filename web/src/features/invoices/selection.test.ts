import { expect, test } from "vitest";
import type { InvoiceCard } from "./queries";
import { type Selection, sumOf, toggled } from "./selection";

const usd = (amount: number) => ({ amount, currency: "USD" as const });
const invoice = (number: string, toPay: number, discount: number) =>
  ({ number, payoffAmount: usd(toPay), discount: usd(discount) }) as InvoiceCard;

test("what was ticked is counted once, and ticked again no more", () => {
  const first = invoice("INV-1", 10.1, 0.2);
  const both = toggled(toggled(new Map(), first), invoice("INV-2", 20.2, 0.1));
  expect(sumOf(both)).toEqual({ count: 2, toPay: 30.3, discount: 0.3 });
  expect(sumOf(toggled(both, first))).toEqual({ count: 1, toPay: 20.2, discount: 0.1 });
});

test("cents add up", () => {
  let all: Selection = new Map();
  for (let n = 0; n < 200; n++) all = toggled(all, invoice(`INV-${n}`, 0.1, 0.01));
  expect(sumOf(all)).toEqual({ count: 200, toPay: 20, discount: 2 });
});
