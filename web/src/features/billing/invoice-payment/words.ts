import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/notes/status";
import type { PaidInvoice } from "./types";

/** States of a payment of invoices, in words. */
export const STATE_WORDS: Record<string, { tone: Tone; words: MessageDescriptor }> = {
  checking: { tone: "wait", words: msg`Checking the invoices` },
  charging: { tone: "wait", words: msg`Charging` },
  action_required: { tone: "wait", words: msg`To be confirmed at your bank` },
  declined: { tone: "fail", words: msg`Payment declined` },
  needs_attention: { tone: "wait", words: msg`Our team is looking at it` },
  processing: { tone: "wait", words: msg`Waiting for your bank` },
  posting: { tone: "wait", words: msg`Paying the invoices` },
  posting_late: { tone: "wait", words: msg`Paying the invoices` },
  refunding: { tone: "wait", words: msg`Paying back` },
  confirmed: { tone: "ok", words: msg`Paid` },
  refused: { tone: "fail", words: msg`Refused` },
  returned: { tone: "fail", words: msg`Returned by your bank` },
  expired: { tone: "plain", words: msg({ message: "Expired", context: "payment" }) },
  cancelled: { tone: "plain", words: msg`Cancelled` },
};

/** Where an invoice of a payment stands. */
export const INVOICE_WORDS = {
  waiting: { tone: "wait", words: msg`Waiting` },
  posted: { tone: "ok", words: msg`Paid` },
  refused: { tone: "fail", words: msg({ message: "Refused", context: "invoice" }) },
  refunded: { tone: "fail", words: msg`Refused and paid back` },
  released: { tone: "plain", words: msg`Not paid` },
  returned: { tone: "fail", words: msg`Returned by your bank` },
} satisfies Record<PaidInvoice["status"], { tone: Tone; words: MessageDescriptor }>;
