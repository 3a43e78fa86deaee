import type { InvoiceCard } from "./queries";

/** Invoices that were ticked, by number: they stay when the page changes. */
export type Selection = ReadonlyMap<string, InvoiceCard>;

export function toggled(selection: Selection, invoice: InvoiceCard): Selection {
  const next = new Map(selection);
  if (!next.delete(invoice.number)) next.set(invoice.number, invoice);
  return next;
}

/** How many, what settles them today, and what that saves; added in cents, so that nothing is lost. */
export function sumOf(selection: Selection): { count: number; toPay: number; discount: number } {
  let toPay = 0;
  let discount = 0;
  for (const invoice of selection.values()) {
    toPay += Math.round(invoice.payoffAmount.amount * 100);
    discount += Math.round(invoice.discount.amount * 100);
  }
  return { count: selection.size, toPay: toPay / 100, discount: discount / 100 };
}
