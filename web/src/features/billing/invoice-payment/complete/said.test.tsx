import { i18n } from "@lingui/core";
import { screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { aPayment } from "~/testing/shop/an-invoice-payment";
import { show } from "~/testing/show";
import type { PaidInvoice } from "../types";
import { Said } from "./said";

afterEach(() => i18n.loadAndActivate({ locale: "en", messages: en }));

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
    "returned",
    "refunded",
    "The bank sent the payment back. The invoices are open again.",
  ],
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

test.each([
  ["This transaction has been declined.", "Cette transaction a été refusée."],
  [
    "The payment was not confirmed in time. Please choose another way to pay.",
    "Le paiement n’a pas été confirmé à temps. Veuillez choisir un autre mode de paiement.",
  ],
])("why it was declined is told in French: %s", (detail, words) => {
  i18n.loadAndActivate({ locale: "fr", messages: fr });
  const payment = aPayment(2, "declined", 0);
  const view = { ...payment.view, error: { code: "PAYMENT_ERROR", detail } };
  show(<Said payment={{ ...payment, view }} />);
  expect(screen.getByText(words, { exact: false })).toBeVisible();
});

test("where memos alone were to pay, nothing is said to be paid back", () => {
  const payment = aPayment(2, "refused", 0);
  const view = { ...payment.view, charged: 0, lines: [aLine("refunded"), aLine("refunded")] };
  show(<Said payment={{ ...payment, view }} />);
  expect(
    screen.getByText("All of these invoices were refused. Nothing was charged."),
  ).toBeVisible();
});
