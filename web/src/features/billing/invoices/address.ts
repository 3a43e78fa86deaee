import { type DocumentsWanted, documentsAddress } from "../documents/address";

export const BUCKETS = ["current", "1-30", "31-60", "61-90", "over-90"] as const;
export const STATUSES = ["open", "past_due", "paid", ...BUCKETS] as const;

export type InvoiceStatus = (typeof STATUSES)[number];
export type InvoicesWanted = DocumentsWanted<InvoiceStatus>;

export const invoicesAddress = documentsAddress(STATUSES);
export type InvoicesAddress = ReturnType<typeof invoicesAddress>;
