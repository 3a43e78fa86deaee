import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aPayment } from "~/testing/an-invoice-payment";
import { show } from "~/testing/show";
import { Said } from "./said";
import type { PaidInvoice } from "./types";

function aLine(status: PaidInvoice["status"]): PaidInvoice {
  return {
    number: `INV-${status}`,
    amount: 50,
    charged: 49,
    discount: 1,
    discount_day: null,
    memos: [],
    settles: true,
    status,
    detail: null,
  };
}

test.each([
  ["confirmed", "posted", "posted", "Thank you. All of these invoices are paid as shown."],
  [
    "confirmed",
    "posted",
    "refunded",
    "Some invoices were refused. Their part of the payment was paid back.",
  ],
  [
    "confirmed",
    "posted",
    "refused",
    "Some invoices were refused. Their part of the payment is being paid back.",
  ],
  [
    "refused",
    "refunded",
    "refunded",
    "All of these invoices were refused. What was charged was paid back.",
  ],
  [
    "refused",
    "refused",
    "refused",
    "All of these invoices were refused. What was charged is being paid back.",
  ],
] as const)("a payment that is %s tells of lines that are %s and %s", (state, one, two, words) => {
  const payment = aPayment(2, state, 0);
  const view = { ...payment.view, charged: 98, lines: [aLine(one), aLine(two)] };
  show(<Said payment={{ ...payment, view }} />);
  expect(screen.getByText(words)).toBeVisible();
});

test("where memos alone were to pay, nothing is said to be paid back", () => {
  const payment = aPayment(2, "refused", 0);
  const view = { ...payment.view, charged: 0, lines: [aLine("refunded"), aLine("refunded")] };
  show(<Said payment={{ ...payment, view }} />);
  expect(
    screen.getByText("All of these invoices were refused. Nothing was charged."),
  ).toBeVisible();
});
