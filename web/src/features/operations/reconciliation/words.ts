import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { DifferenceKind, DifferenceState } from "./queries";

export const STATE_WORDS: Record<DifferenceState, MessageDescriptor> = {
  open: msg`Open`,
  repaired: msg`Repaired`,
  settled: msg`Settled`,
  gone: msg`Not found any more`,
};

export const DIFFERENCE_STATES = Object.keys(STATE_WORDS) as DifferenceState[]; // the keys of that table are all of them

/** Which differences an address names. */
export function differencesIn(named: string | undefined): DifferenceState {
  return DIFFERENCE_STATES.find((state) => state === named) ?? "open";
}

type Told = { name: MessageDescriptor; advice: MessageDescriptor };

const REPAIRED = msg`It was written down as the other side says. Nothing is left to do, unless it is still open.`;

/** What each kind is called, and what to do about it. */
export const DIFFERENCE_WORDS: Record<DifferenceKind, Told> = {
  charge_without_payment: {
    name: msg`Charge without a payment`,
    advice: msg`Look at the charge at the payment provider. If nobody ordered anything for it, give it back there.`,
  },
  payment_without_charge: {
    name: msg`Payment without a charge`,
    advice: msg`The provider does not hold this money. Ask it why, and have the buyer pay again if it never was taken.`,
  },
  charged_twice: {
    name: msg`Charged twice`,
    advice: msg`Give the second charge back at the payment provider.`,
  },
  amount_differs: {
    name: msg`Amounts differ`,
    advice: msg`Find out which side is right. Give back what is too much, or ask for the rest.`,
  },
  currency_differs: {
    name: msg`Currencies differ`,
    advice: msg`Give the charge back at the payment provider, and have the buyer pay again.`,
  },
  customer_differs: {
    name: msg`Customers differ`,
    advice: msg`Find out whose card was charged. If it is not the buyer's, give the charge back and tell both.`,
  },
  voided_and_captured: {
    name: msg`Let go here, taken there`,
    advice: msg`Nothing is delivered for this money. Give it back at the payment provider.`,
  },
  payment_behind: { name: msg`Payment behind its charge`, advice: REPAIRED },
  refund_unknown_here: { name: msg`Refund that was not known here`, advice: REPAIRED },
  refund_unknown_there: {
    name: msg`Refund that the provider does not know`,
    advice: msg`The buyer was told of a refund that did not reach the provider. Make it there.`,
  },
  chargeback_unheard: {
    name: msg`Chargeback that nobody heard of`,
    advice: msg`Answer it at the payment provider before its last day, and hold back what was not sent yet.`,
  },
  return_unheard: { name: msg`Returned debit that was not heard of`, advice: REPAIRED },
  order_not_in_erp: {
    name: msg`Order that the ERP does not have`,
    advice: msg`Ask the ERP's people what became of it. Enter it there under our number, or cancel it and give the money back.`,
  },
  order_alive_in_erp: {
    name: msg`Cancelled order that the ERP still has`,
    advice: msg`Have it cancelled in the ERP before it is sent.`,
  },
  order_cancelled_in_erp: {
    name: msg`Order cancelled in the ERP that we did not hear of`,
    advice: REPAIRED,
  },
  erp_order_unknown: {
    name: msg`ERP order that is not known here`,
    advice: msg`Find out who entered it. Have it cancelled in the ERP if nobody ordered it.`,
  },
  order_not_paid: {
    name: msg`Order without a payment`,
    advice: msg`Nothing is held for this order. Stop its shipment, or have it paid.`,
  },
  payment_without_order: {
    name: msg`Payment without an order`,
    advice: msg`Nothing is delivered for this money. Give it back at the payment provider.`,
  },
  invoice_not_mirrored: { name: msg`Document that was not mirrored`, advice: REPAIRED },
  posting_missing: {
    name: msg`Payment that the ERP did not post`,
    advice: msg`The invoice is still open in the ERP. Have it posted there under this reference.`,
  },
  posting_doubled: {
    name: msg`Payment that the ERP posted twice`,
    advice: msg`Have the second posting reversed in the ERP.`,
  },
  posting_unknown: {
    name: msg`Posting without a payment`,
    advice: msg`The ERP posted what was not paid, or was paid back. Have it reversed there.`,
  },
  memo_overapplied: {
    name: msg`More of a credit memo applied than it is worth`,
    advice: msg`Have one of its applications reversed in the ERP.`,
  },
  allocations_differ: {
    name: msg`Charge unlike its invoices`,
    advice: msg`Compare what each invoice got with the charge. Give back what belongs to none.`,
  },
  balance_differs: {
    name: msg`Balance unlike its open documents`,
    advice: msg`Ask the ERP's people to go through the account of this business.`,
  },
  plan_without_payment: {
    name: msg`Plan without a payment`,
    advice: msg`Find out why the plan was set up. Have it paid, or end it at the device network.`,
  },
  payment_without_plan: {
    name: msg`Payment without a plan`,
    advice: msg`Nothing was delivered for this money. Set the plan up, or give the money back.`,
  },
  transfer_unknown_here: {
    name: msg`Transfer that no payout knows of`,
    advice: msg`Find out who sent it. Have it reversed if it belongs to none.`,
  },
  transfer_unknown_there: {
    name: msg`Payout without its transfer`,
    advice: msg`The provider sent nothing. Ask it what became of the transfer.`,
  },
  transfer_differs: {
    name: msg`Payout unlike its transfers`,
    advice: msg`Compare what was sent and what came back with the payout. Have what is too much reversed.`,
  },
};

/** Parts of a round, by the server's name of each. */
export const PART_WORDS: Record<string, MessageDescriptor> = {
  charges: msg`the payment providers' ledgers`,
  books: msg`the ERP's books`,
  payments: msg`payments`,
  strays: msg`what is only there`,
  orders: msg`orders`,
  purchases: msg`plans`,
  documents: msg`documents`,
  postings: msg`postings`,
  memos: msg`credit memos`,
  balances: msg`balances`,
  payouts: msg`payouts`,
  lost: msg`what was left when the round broke off`,
};
