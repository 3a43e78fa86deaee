import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { asking, keyOf } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import { CONSTANTS } from "~/shared/constants";
import { ofBuyers } from "~/shared/session/of-business";
import type { ProductQuery } from "./address";

export type Facets = Schemas["FacetsFound"];
export type Coupon = Schemas["CouponOut"];

/** A page of products at the caller's prices. What was seen is shown at once, and asked for again. */
export function productsQuery(wanted: ProductQuery, limit: number) {
  const asked = asking("post", "/api/search-products", {
    body: {
      limit,
      page: wanted.page,
      sort: wanted.sort,
      searchTerm: wanted.term,
      filters: filtersOf(wanted),
    },
  });
  return queryOptions({
    ...asked,
    queryFn: () => pageOf(asked.queryFn()),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

const filtersOf = ({ brands, categories, inStock }: ProductQuery) => ({
  brands: [...brands],
  categories: [...categories],
  inStock,
});

/** Brands and categories that the search could be narrowed to, with counts. */
export const facetsQuery = (wanted: ProductQuery) =>
  queryOptions({
    ...asking("post", "/api/search-products-facets", {
      body: {
        searchTerm: wanted.term,
        filters: filtersOf(wanted),
      },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const productQuery = (id: string) =>
  queryOptions({
    ...asking("get", "/api/product-by-id/{id}", { params: { path: { id } } }),
    staleTime: 0,
    gcTime: CONSTANTS.productKept,
  });

/** The product that a SKU stands for: an old one, or the beginning of one, may stand for none. */
export const productBySkuQuery = (sku: string) =>
  queryOptions({
    ...asking("get", "/api/product-by-sku/{sku}", { params: { path: { sku } } }),
    gcTime: CONSTANTS.productKept,
    retry: false,
  });

/** What sells best. */
export const popularQuery = queryOptions({
  ...asking("get", "/api/popular-products", {}),
});

export const dealsQuery = queryOptions({
  ...asking("get", "/api/get-discounted-products", {}),
});

export const couponsQuery = queryOptions({
  ...asking("get", "/api/get-coupons", {}),
});

/** How the products of the last three orders of the business were bought the last time; for those who buy. */
export const lastBoughtQuery = ofBuyers(
  queryOptions({
    ...asking("get", "/v1/last-bought", {}),
    staleTime: 0,
    retry: false,
  }),
);

const MOST_PURCHASED = 8; // shop spec 9

/** Products of the last three orders of the business, eight at most. Some may not be there any more. */
export const purchasedQuery = queryOptions({
  queryKey: keyOf("get", "/api/last-three-order-product-ids"),
  queryFn: async () => {
    const ids = await answered(client.GET("/api/last-three-order-product-ids", {}));
    if (ids.length === 0) return [];
    return answered(
      client.POST("/api/products-by-ids", { body: { ids, limit: MOST_PURCHASED } }),
    ).catch((cause) => {
      if (problemOf(cause).status === 404) return [];
      throw cause;
    });
  },
  staleTime: 0,
});
