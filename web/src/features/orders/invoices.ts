import type { Order } from "./queries";

/** The numbers of all invoices of an order: each shipment may have its own, or there is one for all of it. */
export function invoicesOf({
  invoiceNumber,
  shipments,
}: {
  invoiceNumber: Order["invoiceNumber"];
  shipments: readonly Pick<Order["shipments"][number], "invoiceNumber">[];
}): string[] {
  const told = [invoiceNumber, ...shipments.map((shipment) => shipment.invoiceNumber)];
  return [...new Set(told.filter((number) => number != null))].sort();
}
