import { type DocumentsQuery, documentsAddress } from "../documents/address";

const BUCKETS = ["current", "1-30", "31-60", "61-90", "over-90"] as const;
/** What has a tab; how old what is open is stands beside them with its amounts. */
export const TABS = ["open", "past_due", "in_payment", "paid"] as const;
const STATUSES = [...TABS, ...BUCKETS] as const;

export type Tab = (typeof TABS)[number];
export type InvoiceStatus = (typeof STATUSES)[number];
export type InvoicesQuery = DocumentsQuery<InvoiceStatus>;

export const invoicesAddress = documentsAddress(STATUSES);
export type InvoicesAddress = ReturnType<typeof invoicesAddress>;

/** The tab that a status is in: how old an invoice is counts while it is open. */
export function tabOf(status: InvoiceStatus | undefined): Tab | undefined {
  return status && (TABS.find((tab) => tab === status) ?? "open");
}
