import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { A_CASE } from "~/testing/runs/a-case";
import { aPayment } from "~/testing/shop/an-invoice-payment";
import { showPage } from "~/testing/show";
import type { PaidInvoice } from "../types";
import { CompleteScreen } from "./complete-screen";

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ["confirmed", true],
  ["refused", true],
  ["returned", false],
  ["expired", false],
  ["cancelled", false],
])("a payment that is %s has a receipt: %s", async (state, hasReceipt) => {
  const ended = { ...aPayment(2, state, 0), ended: true };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : String(asked));
    if (pathname.endsWith("/invoice-payments/i1")) return Response.json(ended);
    return new Promise<Response>(() => undefined);
  });
  await showPage(<CompleteScreen id="i1" />);
  expect(await screen.findByText("Each invoice shows what was paid towards it.")).toBeVisible();
  expect(screen.queryAllByRole("button", { name: "Print" })).toHaveLength(hasReceipt ? 1 : 0);
});

test("what happened to its money later stands on the payment", async () => {
  const ended = { ...aPayment(2, "confirmed", 0), ended: true };
  const back = { ...A_CASE, cause: "chargeback", is_open: true };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : String(asked));
    if (pathname.endsWith("/invoice-payments/i1")) return Response.json(ended);
    if (pathname.endsWith("/cases")) return Response.json({ results: [back] });
    return new Promise<Response>(() => undefined);
  });
  await showPage(<CompleteScreen id="i1" />);
  expect(await screen.findByRole("region", { name: "Your money" })).toBeVisible();
  expect(screen.getByText("A bank took the payment back for the holder of the card")).toBeVisible();
});

test("a payment that a bank took back after it was posted is not called paid", async () => {
  const payment = aPayment(2, "confirmed", 0);
  const line: PaidInvoice = {
    number: "INV-1",
    amount: 100,
    charged: 98,
    discount: 2,
    discount_day: null,
    memos: [],
    settles: true,
    status: "returned",
    detail: "The debit came back.",
  };
  const ended = { ...payment, view: { ...payment.view, charged: 98, lines: [line] }, ended: true };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : String(asked));
    if (pathname.endsWith("/invoice-payments/i1")) return Response.json(ended);
    return new Promise<Response>(() => undefined);
  });
  await showPage(<CompleteScreen id="i1" />);
  expect(await screen.findByText("The debit came back.")).toHaveAttribute("lang", "en");
  const totals = within(await screen.findByRole("region", { name: "Totals" }));
  expect(totals.getByText("Taken back by the bank")).toBeVisible();
  expect(totals.getByText("-$98.00")).toBeVisible();
  expect(totals.queryByText("Discount")).toBeNull();
  expect(screen.getAllByText("Returned by your bank")).toHaveLength(2);
  expect(screen.queryByText("Paid")).toBeNull();
});
