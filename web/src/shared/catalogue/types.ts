import type { Schemas } from "~/shared/api/client";

export type ProductSummary = Schemas["ProductSummaryOut"];
export type CatalogueProduct = Schemas["ProductOut"];
export type CatalogueVariant = Schemas["VariantOut"];
export type Pricing = Schemas["Pricing"];

export const SORTS = [
  "price-desc",
  "price-asc",
  "name-asc",
  "name-desc",
  "best-match",
] as const satisfies Schemas["Sort"][];
export type Sort = (typeof SORTS)[number];

/** Offered with a term alone (rulings "Later rulings"). */
export const BEST_MATCH = "best-match" satisfies Sort;

/** The value of the brand filter for the caller's approved brands only. */
export const APPROVED = "approved";
