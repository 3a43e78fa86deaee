import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";

/** What became of a row that was to go into the cart. */
export const VERDICT_WORDS: Record<Schemas["Verdict"], MessageDescriptor> = {
  ready: msg`Can be added`,
  merged: msg`Counted with an earlier row`,
  unknown: msg`No product has this SKU`,
  no_sku: msg`The SKU is missing`,
  bad_quantity: msg`The quantity must be a whole number above zero`,
  not_for_purchase: msg`Not available for purchase`,
  no_price: msg`Without a price at the moment`,
  too_many: msg`More than 9,999 pieces of one product`,
  cart_full: msg`The cart is full: it holds 1,000 products`,
};
