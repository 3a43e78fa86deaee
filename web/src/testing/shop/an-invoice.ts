import type { Schemas } from "~/shared/api/client";

type Invoice = Schemas["InvoiceOut"];

const usd = (amount: number) => ({ amount, currency: "USD" as const });

/** An open invoice of 102.00 over one line, with 2.00 off until the end of its tenth day. */
export function anInvoice(more: Partial<Invoice> = {}): Invoice {
  return {
    id: "INV-100001",
    number: "INV-100001",
    sapBpCode: "N1001",
    selected: false,
    paymentAmount: 100,
    attemptedPaymentAmount: 0,
    isPaid: false,
    isPastDue: false,
    paid_against_invoice: usd(0),
    payoffAmount: usd(100),
    invoice_total: usd(102),
    balance: usd(102),
    discount: usd(2),
    discountUntil: "2026-11-30",
    create_date: "2026-11-20",
    due_date: "2026-12-20",
    early_pay_discount_details: [
      { number_of_days: 10, percent: 2, granted: true },
      { number_of_days: 20, percent: 1, granted: false },
    ],
    ageing: "current",
    inPayment: null,
    orderNumber: "T-100001",
    taxNumber: null,
    poNumber: "PO 7",
    orderId: "1",
    shipmentNumber: "SH-1",
    lines: [{ sku: "SKU-1", name: "Thing", quantity: 1, unitPrice: usd(90), totalPrice: usd(90) }],
    coupon: null,
    subtotalPrice: usd(90),
    shippingPrice: usd(5),
    tax: usd(7),
    payments: [],
    ...more,
  };
}
