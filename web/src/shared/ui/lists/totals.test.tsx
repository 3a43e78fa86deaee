import { i18n } from "@lingui/core";
import { within } from "@testing-library/react";
import { expect, test } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { show } from "~/testing/show";
import { type Figures, Totals } from "./totals";

const FIGURES: Figures = {
  subtotal: 100,
  taxes: [
    { name: "GST", percent: 5, amount: 5 },
    { name: "QST", percent: "9.975", amount: 9.98 },
  ],
  total: 114.98,
};

function rows(of: Figures): string[] {
  const shown = show(<Totals of={of} />);
  const names = within(shown.container).getAllByRole("term");
  const told = names.map((name) => `${name.textContent}: ${name.nextElementSibling?.textContent}`);
  shown.unmount();
  return told;
}

test("each tax stands by its name and rate before the total", () => {
  expect(rows(FIGURES)).toEqual([
    "Subtotal: $100.00",
    "GST 5%: $5.00",
    "QST 9.975%: $9.98",
    "Total: $114.98",
  ]);
});

test("taxes have the names of the reader's language, and one that is not known its own", () => {
  const taxes = [...FIGURES.taxes, { name: "Sales tax", percent: 6, amount: 6 }];
  i18n.loadAndActivate({ locale: "fr", messages: fr });
  const told = rows({ ...FIGURES, taxes: [...taxes, { name: "Ecotax", amount: 1 }] });
  i18n.loadAndActivate({ locale: "en", messages: en });
  expect(told.map((row) => row.split(/[\s:]/u)[0])).toEqual([
    "Sous-total",
    "TPS",
    "TVQ",
    "Taxe",
    "Ecotax",
    "Total",
  ]);
});

test("shipping is named by its method, free where it costs nothing, and settled later without one", () => {
  const shipping = (method: string | undefined, amount: number | undefined) =>
    rows({ ...FIGURES, shipping: { method, amount } })[1];
  expect(shipping("Ground", 14.5)).toBe("Shipping: Ground: $14.50");
  expect(shipping("Ground", 0)).toBe("Shipping: Ground: Free");
  expect(shipping(undefined, undefined)).toBe("Shipping: at checkout");
});

test("what is taken off and what was paid back are shown as such, and where taxes are due", () => {
  const told = rows({ ...FIGURES, discount: 10, refunded: 20, area: "BC" });
  expect(told).toContain("Discount: -$10.00");
  expect(told).toContain("GST 5% (BC): $5.00");
  expect(told.at(-1)).toBe("Paid back: -$20.00");
});

test("each part that was given back stands with its day behind the total", () => {
  const givenBack = [
    { at: "2026-11-20T12:00:00Z", amount: 4.99 },
    { at: "2026-11-27T12:00:00Z", amount: 0.01 },
  ];
  expect(rows({ ...FIGURES, givenBack }).slice(-3)).toEqual([
    "Total: $114.98",
    "Paid back on Nov 20, 2026: -$4.99",
    "Paid back on Nov 27, 2026: -$0.01",
  ]);
});
