import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { amend, begin } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { anInvoice } from "~/testing/shop/an-invoice";
import {
  deselect,
  MOST_SELECTED,
  refresh,
  type Selection,
  select,
  sumOf,
  useSelection,
} from "./selection";

const usd = (amount: number) => ({ amount, currency: "USD" as const });
const invoice = (number: string, toPay = 10, saved = 0, isPaid = false) =>
  anInvoice({ id: number, number, isPaid, payoffAmount: usd(toPay), discount: usd(saved) });
const seen = () => renderHook(() => useSelection()).result.current;
const numbers = (selection: Selection) => [...selection.keys()];

beforeEach(() => {
  begin(aPerson(), "token");
  deselect(numbers(seen()));
});

test("what was selected adds up in cents, whatever page it was on", () => {
  for (let n = 0; n < 150; n++) select([invoice(`INV-${n}`, 0.1, 0.01)]);
  expect(sumOf(seen())).toEqual({ count: 150, toPay: 15, discount: 1.5 });
  deselect(["INV-0", "INV-1"]);
  expect(sumOf(seen())).toEqual({ count: 148, toPay: 14.8, discount: 1.48 });
});

test("one payment settles no more than the most, and nothing that is paid", () => {
  select(Array.from({ length: MOST_SELECTED + 5 }, (_, n) => invoice(`INV-${n}`)));
  expect(sumOf(seen()).count).toBe(MOST_SELECTED);
  deselect(numbers(seen()));
  select([invoice("INV-1", 0, 0, true)]);
  expect(seen().size).toBe(0);
});

test("a page that comes again brings its invoices up to date and adds none", () => {
  select([invoice("INV-1", 98, 2), invoice("INV-2", 50)]);
  refresh([invoice("INV-1", 100, 0), invoice("INV-2", 0, 0, true), invoice("INV-3")]);
  expect([...seen().values()]).toEqual([{ number: "INV-1", payoff: 100, discount: 0 }]);
});

test("a selection is of one business, and kept for this tab", () => {
  select([invoice("INV-1")]);
  expect(sessionStorage.getItem("selected_invoices")).toContain("INV-1");
  const hook = renderHook(() => useSelection());
  const [work] = [aWork(true)];
  act(() =>
    amend({ work: { ...work, business: work.business && { ...work.business, code: "N9" } } }),
  );
  expect(hook.result.current.size).toBe(0);
  act(() => amend({ work: { ...work, business: null } }));
  expect(numbers(hook.result.current)).toEqual(["INV-1"]);
});
