import type { Schemas } from "~/shared/api/client";

export type InvoicePaymentAnswer = Schemas["InvoicePaymentAnswer"];
export type PaidInvoice = InvoicePaymentAnswer["view"]["lines"][number];
export type Quoted = Schemas["InvoicesQuoted"];
export type QuotedInvoice = Schemas["QuotedInvoice"];
export type OpenMemo = Schemas["CreditMemoOut"];

/** A saved method that pays: invoices are never paid by COD or terms. */
export type Payer = { type: "CARD" | "BANK_ACCOUNT"; method_id: string };

/** What is to be paid: an amount towards each invoice, all that is open where none was typed; memos by number. */
export type AllocationRequest = {
  invoices: readonly { number: string; amount?: number }[];
  memos: readonly string[];
};

/** Whether a bank took back what had been paid towards it. */
export const isTakenBack = ({ status }: PaidInvoice) => status === "returned";
