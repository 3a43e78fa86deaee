import type { InvoicePaymentAnswer } from "~/features/billing/invoice-payment/types";
import { allowedIn } from "../runs/a-flow-on-screen";

/** A payment of 98.00 that stands in `state` for so many milliseconds. */
export function aPayment(version: number, state: string, since: number): InvoicePaymentAnswer {
  const at = new Date(Date.now() - since).toISOString();
  return {
    kind: "invoice_payment",
    version,
    moved: null,
    id: "i1",
    rev: 3,
    seq: 1,
    state,
    allowed: allowedIn(`invoice_payment_v${version}`, state, ["PAY", "CANCEL"]),
    updated_at: at,
    ended: false,
    view: {
      uuid: "i1",
      version,
      partner_code: "N1001",
      lines: [],
      charged: 98,
      discount: 2,
      applied: 0,
      refunded: 0,
      currency: "USD",
      submitted_at: at,
      deadline: null,
      payment: null,
      refused_methods: [],
      error: null,
      waits_for: "portal",
      paid_by: "Ann Lee",
      acting_for: null,
      notes_at: { [state]: at },
      left: null,
    },
  };
}
