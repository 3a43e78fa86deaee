import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/notes/status";
import type { SubscriptionState } from "./queries";
import type { Change, OfferedTerm, PurchaseLine } from "./types";

/** Terms of a plan (shop spec 9, "Plan durations"). */
export const TERM_WORDS = {
  month_to_month: msg`Month to month`,
  "1_year": msg`1 year`,
  "2_year": msg`2 years`,
  "3_year": msg`3 years`,
  "4_year": msg`4 years`,
  "5_year": msg`5 years`,
  "6_year": msg`6 years`,
} satisfies Record<OfferedTerm["term"], MessageDescriptor>;

/** What a plan brings and what its picture shows, put into the page's language. */
export const DESCRIPTION_WORDS: Record<string, MessageDescriptor> = {
  "Vehicle Control + Security": msg`Vehicle Control + Security`,
  "Basic Plan + GPS Tracking": msg`Basic Plan + GPS Tracking`,
  "Premium Plan + Advanced GPS Tracking": msg`Premium Plan + Advanced GPS Tracking`,
  "A phone that locks and starts a car": msg`A phone that locks and starts a car`,
  "A car with a pin on a map": msg`A car with a pin on a map`,
  "A car on a map with its last way": msg`A car on a map with its last way`,
  "Several cars on a map, each with its way": msg`Several cars on a map, each with its way`,
  "Premium Plus Plan + More Advanced GPS Tracking": msg`Premium Plus Plan + More Advanced GPS Tracking`,
};

/** What each plan adds to the one before, in the order of the list of plans (shop spec 2). */
export const ADDED_BY_PLAN: readonly (readonly MessageDescriptor[])[] = [
  [msg`Vehicle control`, msg`Security`],
  [msg`GPS tracking`],
  [msg`Advanced GPS tracking`],
  [msg`More advanced GPS tracking`],
];

/** States of a purchase, in words. */
export const PURCHASE_WORDS: Record<string, { tone: Tone; words: MessageDescriptor }> = {
  quoting: { tone: "wait", words: msg`Working out the price` },
  quoted: { tone: "plain", words: msg`Ready to be paid` },
  waiting_for_approval: { tone: "wait", words: msg`Waiting for an approval` },
  requoted: { tone: "wait", words: msg`Waits for a yes to new prices` },
  rejected: { tone: "fail", words: msg`Not approved` },
  charging: { tone: "wait", words: msg`Charging` },
  action_required: { tone: "wait", words: msg`To be confirmed at your bank` },
  declined: { tone: "fail", words: msg`Payment declined` },
  provisioning: { tone: "wait", words: msg`Setting up the plans` },
  part_failed: { tone: "fail", words: msg`Some devices could not be set up` },
  refunding: { tone: "wait", words: msg`Paying back` },
  confirmed: { tone: "ok", words: msg`Complete` },
  expired: { tone: "plain", words: msg({ message: "Expired", context: "purchase" }) },
  cancelled: { tone: "plain", words: msg`Cancelled` },
  needs_attention: { tone: "wait", words: msg`Our team is looking at it` },
};

/** Where a device of a purchase stands; before it is paid there is nothing to say of one that can be bought. */
export const LINE_WORDS: Record<
  PurchaseLine["status"],
  { tone: Tone; words: MessageDescriptor } | undefined
> = {
  quoted: undefined,
  refused: { tone: "fail", words: msg`Cannot be bought` },
  waiting: { tone: "wait", words: msg`Waiting` },
  provisioned: { tone: "ok", words: msg`Active` },
  failed: { tone: "fail", words: msg`Not set up` },
  uncertain: { tone: "wait", words: msg`No answer yet` },
  owed: { tone: "wait", words: msg`Being paid back` },
  refunded: { tone: "plain", words: msg`Paid back` },
  unpaid: { tone: "plain", words: msg`Not set up: your bank did not pay` },
};

/** Why a plan cannot be had for a device. */
export const PROBLEM_WORDS: Record<string, MessageDescriptor> = {
  unknown_device: msg`We could not find this device. Please check the serial number.`,
  service_mode_required: msg`The device is not currently in Service Mode. The owner of the vehicle switches it on in the app, among the settings of the vehicle; then try again.`,
  device_blocked: msg`This device is blocked.`,
  region_refused: msg`This device cannot be used in Canada.`,
  plan_unknown: msg`This plan does not exist.`,
  plan_retired: msg`This plan is not sold any more.`,
  plan_unsuitable: msg`This plan is not available for this device.`,
  plan_lower: msg`The device has a higher plan. A lower one can be bought when it has ended.`,
  plan_too_long: msg`The plan of this device is paid for long enough already.`,
  in_other_purchase: msg`A plan for this device is being bought at this moment.`,
  plan_refused: msg`The device network refused the plan.`,
  uncertain: msg`The device network did not answer. Please try again.`,
  end_unsuitable: msg`This plan cannot end on that day.`,
};

/** What an owner's limits say against a purchase. */
export const OVER_LIMIT_WORDS: Record<string, MessageDescriptor> = {
  over_order_limit: msg`This is above what you may order at once. Please ask an owner of your business.`,
  over_month_limit: msg`This is above what you may order in a month. Please ask an owner of your business.`,
};

/** Why a payment came to nothing: what the portal says of it, and the provider in its own words (shop spec 8). */
const DECLINE_WORDS: readonly (readonly [string, MessageDescriptor])[] = [
  ["Your payment was declined.", msg`Your payment was declined.`],
  [
    "The payment could not be made. Nothing was charged.",
    msg`The payment could not be made. Nothing was charged.`,
  ],
  [
    "The payment was not confirmed in time. Please choose another way to pay.",
    msg`The payment was not confirmed in time. Please choose another way to pay.`,
  ],
  [
    "The payment was not confirmed in time. Please choose how to pay.",
    msg`The payment was not confirmed in time. Please choose how to pay.`,
  ],
  [
    "The Ship To zip code is not valid for this country.",
    msg`The Ship To zip code is not valid for this country.`,
  ],
  ["This transaction has been declined.", msg`This transaction has been declined.`],
  [
    "The Ship To zip code does not match the billing address of this card.",
    msg`The Ship To zip code does not match the billing address of this card.`,
  ],
  ["detached from a Customer", msg`This way to pay is no longer saved. Please choose another one.`],
  ["Your card was declined.", msg`Your card was declined.`],
  ["Your card has insufficient funds.", msg`Your card has insufficient funds.`],
  ["Your card has expired.", msg`Your card has expired.`],
  ["Your card's security code is incorrect.", msg`Your card's security code is incorrect.`],
];

/** Why a payment was declined, as far as we know its words. */
export function declineWords(detail: string): MessageDescriptor | string {
  return DECLINE_WORDS.find(([words]) => detail.includes(words))?.[1] ?? detail;
}

/** Where a customer's subscription stands. */
export const SUBSCRIPTION_WORDS = {
  active: { tone: "ok", words: msg`Active` },
  ending: { tone: "wait", words: msg`Ends soon` },
  suspended: { tone: "fail", words: msg({ message: "Suspended", context: "subscription" }) },
  ended: { tone: "fail", words: msg({ message: "Ended", context: "subscription" }) },
} satisfies Record<SubscriptionState, { tone: Tone; words: MessageDescriptor }>;

/** What buying a plan means for a device. */
export const CHANGE_WORDS = {
  new: msg`New plan`,
  renewal: msg`Renewal`,
  upgrade: msg`Upgrade`,
} satisfies Record<Change, MessageDescriptor>;
