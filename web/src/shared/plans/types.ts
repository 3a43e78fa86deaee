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

export type PurchaseAnswer = Schemas["PurchaseAnswer"];
export type PurchaseView = Schemas["PurchaseView"];
export type PurchaseLine = Schemas["LineView"];
/** A saved method that pays. */
export type Payer = { type: "CARD" | "BANK_ACCOUNT"; method_id: string };

/** What a purchase adds up to, as it is shown. */
export type Sums = Pick<
  PurchaseView,
  "base_amount" | "currency_discount" | "base_tax" | "taxes" | "final_charge"
> & { refunded?: number };
