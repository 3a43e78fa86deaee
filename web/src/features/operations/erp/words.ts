import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";

export const RECORDS_WORDS: Record<Schemas["Records"], MessageDescriptor> = {
  businesses: msg`Businesses`,
  items: msg`Articles`,
};

export const FEED_WORDS: Record<Schemas["Feed"], MessageDescriptor> = {
  ...RECORDS_WORDS,
  documents: msg`Invoices and credit memos`,
  shipments: msg`Shipments`,
  cancellations: msg`Cancelled orders`,
};

/** How our data differs from the ERP's. */
export const DIFFERENCE_WORDS: Record<Schemas["MirrorDifferenceKind"], MessageDescriptor> = {
  missing_item: msg`Article was missing here`,
  unknown_item: msg`Article that the ERP does not know`,
  product: msg`Product or variant`,
  price: msg`Prices`,
  stock: msg`Stock`,
  missing_business: msg`Business was missing here`,
  unknown_business: msg`Business that the ERP does not know`,
  business: msg`Business`,
  credit: msg`Credit limit`,
  addresses: msg`Addresses of a business`,
  rep: msg`Sales rep of a business`,
  unreadable: msg`Record that cannot be read`,
};
