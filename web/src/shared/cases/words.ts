import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";

/** Why there is a case. */
export const CAUSE_WORDS: Record<Schemas["CaseCause"], MessageDescriptor> = {
  order_cancelled: msg`The order was cancelled by the warehouse`,
  shipment_cancelled: msg`A part of the order will not be sent`,
  refund_refused: msg`Money could not be paid back at once`,
  debit_returned: msg`Your bank returned the payment`,
  amount_differs: msg`Something else was taken than what was asked for`,
  let_go: msg`The payment could not be let go of at once, and nobody waited for it`,
  chargeback: msg`A bank took the payment back for the holder of the card`,
  run_lost: msg`The purchase was interrupted, and something was paid`,
};

type Thing = Pick<Schemas["BelongsTo"], "kind" | "name" | "number">;

/** What a case stands on, besides orders, which have numbers. */
const BELONGS_WORDS: Record<Exclude<Thing["kind"], "order">, MessageDescriptor> = {
  cart: msg`Cart`,
  purchase: msg`Purchase of plans`,
  invoice_payment: msg`Payment of invoices`,
};

export function belongsTo(i18n: I18n, { kind, name, number }: Thing): string {
  if (kind !== "order") return i18n._(BELONGS_WORDS[kind]);
  return number ? i18n._(msg`Order ${number}`) : name;
}
