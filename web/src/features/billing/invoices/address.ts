import { type DocumentsQuery, documentsAddress } from "../documents/address";

export const BUCKETS = ["current", "1-30", "31-60", "61-90", "over-90"] as const;
/** What has a tab; how old what is open is stands beside them with its amounts. */
export const TABS = ["open", "past_due", "in_payment", "paid"] as const;
export const STATUSES = [...TABS, ...BUCKETS] as const;

export type InvoiceStatus = (typeof STATUSES)[number];
export type InvoicesQuery = DocumentsQuery<InvoiceStatus>;

export const invoicesAddress = documentsAddress(STATUSES);
export type InvoicesAddress = ReturnType<typeof invoicesAddress>;
