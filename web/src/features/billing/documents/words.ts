import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Sort } from "./address";

export const SORT_WORDS: Record<Sort, MessageDescriptor> = {
  "date-desc": msg`Newest first`,
  "date-asc": msg`Oldest first`,
  "due-asc": msg`Due soonest first`,
  "due-desc": msg`Due latest first`,
  "total-desc": msg`Total, high to low`,
  "total-asc": msg`Total, low to high`,
};

const KIND_WORDS: Readonly<Partial<Record<string, MessageDescriptor>>> = {
  invoice: msg`Invoice`,
  credit_memo: msg`Credit memo`,
  payment: msg`Payment`,
  discount: msg({ message: "Discount", context: "early payment" }),
  returned_payment: msg`Returned payment`,
  returned_discount: msg`Discount taken back`,
};

/** What moved an account, in words; the ERP's own word for what we have none. */
export function kindInWords(i18n: I18n, kind: string): string {
  const words = KIND_WORDS[kind];
  return words ? i18n._(words) : kind;
}
