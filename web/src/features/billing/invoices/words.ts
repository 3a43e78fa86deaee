import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { InvoiceStatus, Tab } from "./address";

export const STATUS_WORDS: Record<InvoiceStatus, MessageDescriptor> = {
  open: msg({ message: "Open", context: "invoice" }),
  past_due: msg`Past due`,
  in_payment: msg`In payment`,
  paid: msg({ message: "Paid", context: "invoice" }),
  current: msg`Not due yet`,
  "1-30": msg`1 to 30 days past due`,
  "31-60": msg`31 to 60 days past due`,
  "61-90": msg`61 to 90 days past due`,
  "over-90": msg`Over 90 days past due`,
};

/** Of many, as the tabs of the list say it. */
export const TAB_WORDS: Record<Tab, MessageDescriptor> = {
  open: msg({ message: "Open", context: "invoices" }),
  past_due: STATUS_WORDS.past_due,
  in_payment: STATUS_WORDS.in_payment,
  paid: msg({ message: "Paid", context: "invoices" }),
};
