import type { Schemas } from "~/shared/api/client";

export type PlanGroup = Schemas["PlanGroup"];
export type UpgradeGroup = Schemas["UpgradeGroup"];
export type Subscription = Schemas["SubscriptionOut"];
export type PlanLine = Schemas["PlanLine"];

/** What buying a plan means for a device. */
export type Change = Schemas["UpgradePlan"]["change"];

/** A plan on offer, with its terms, whether for any device or for one. */
export type Offer = Pick<
  PlanGroup,
  "slug" | "display_name" | "description" | "image" | "image_description" | "popular"
> & { terms: readonly OfferedTerm[] };

/** `id` is the plan with its term; `amount` is for the whole term, before tax. */
export type OfferedTerm = Pick<
  Schemas["PlanTerm"],
  "id" | "term" | "months" | "amount" | "list_amount"
> & { change?: Change };

/** What a device may have, in the shape of what everybody may have. */
export function offerOf({ type, plans, ...words }: UpgradeGroup): Offer {
  return { ...words, slug: type, terms: plans };
}
