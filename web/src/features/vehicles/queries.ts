import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { asking } from "~/shared/api/operation";
import { CONSTANTS } from "~/shared/constants";

export function wiresQuery(vehicleId: number, categoryId: string) {
  return queryOptions({
    ...asking("post", "/api/wiring-by-category", { body: { vehicleId, categoryId } }),
  });
}

export function instructionsQuery(vehicleId: number, categoryId: string) {
  return queryOptions({
    ...asking("post", "/api/instructions-by-category", { body: { vehicleId, categoryId } }),
  });
}

/** Products of a vehicle, kept for 300 s (devices spec 9). */
export function vehicleProductsQuery(skus: readonly string[]) {
  return queryOptions({
    ...asking("post", "/api/vehicle-saleor-products", { body: { skus: [...skus] } }),
    enabled: skus.length > 0,
    staleTime: CONSTANTS.vehicleProductsKept,
  });
}

export function harnessesQuery(skus: readonly string[]) {
  return queryOptions({
    ...asking("post", "/api/t-harness-by-sku", { body: { skus: [...skus] } }),
    enabled: skus.length > 0,
    staleTime: CONSTANTS.vehicleProductsKept,
  });
}

/** Of the store. */
export const HARNESS_CATEGORY = "t-harnesses";

/** T-harnesses of the store by a term of one's own. */
export function harnessSearchQuery(searchTerm: string) {
  return queryOptions({
    ...asking("post", "/api/search-products", {
      body: {
        limit: 8,
        page: 1,
        sort: "price-desc",
        searchTerm,
        filters: { brands: [], categories: [HARNESS_CATEGORY], inStock: false },
      },
    }),
    enabled: searchTerm !== "",
  });
}

export function accessoriesQuery(sku: string) {
  return queryOptions({
    ...asking("post", "/api/vehicle-saleor-accessory-products", { body: { sku } }),
    enabled: sku !== "",
    staleTime: CONSTANTS.vehicleProductsKept,
  });
}

export function featuresQuery(productId: string) {
  return queryOptions({
    ...asking("post", "/api/product-features", { body: { productId } }),
  });
}

/** Folders and documents of any depth by their titles; asked for when there are words. */
export function guidesFoundQuery(words: string) {
  return queryOptions({
    ...asking("get", "/api/folder", { params: { query: { search: words } } }),
    enabled: words !== "",
    placeholderData: keepPreviousData,
  });
}

export function folderQuery(slug: string | undefined) {
  return queryOptions({
    ...(slug === undefined
      ? asking("get", "/api/folder", {})
      : asking("get", "/api/folder/{slug}", { params: { path: { slug } } })),
  });
}
