import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/status";
import type { SubscriptionState } from "./queries";
import type { OfferedTerm } from "./types";

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

/** Where a customer's subscription stands. */
export const SUBSCRIPTION_WORDS = {
  active: { tone: "ok", words: msg`Active` },
  ending: { tone: "wait", words: msg`Ends soon` },
  ended: { tone: "fail", words: msg`Ended` },
} satisfies Record<SubscriptionState, { tone: Tone; words: MessageDescriptor }>;
