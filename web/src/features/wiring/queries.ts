import { queryOptions } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { CONSTANTS } from "~/shared/constants";

export function wiresQuery(vehicleId: number, categoryId: string) {
  return queryOptions({
    queryKey: ["wiring", "category", vehicleId, categoryId],
    queryFn: () =>
      answered(client.POST("/api/wiring-by-category", { body: { vehicleId, categoryId } })),
  });
}

export function instructionsQuery(vehicleId: number, categoryId: string) {
  return queryOptions({
    queryKey: ["wiring", "instructions", vehicleId, categoryId],
    queryFn: () =>
      answered(client.POST("/api/instructions-by-category", { body: { vehicleId, categoryId } })),
  });
}

/** Products of a vehicle, kept for 300 s (devices spec 9). */
export function vehicleProductsQuery(skus: readonly string[]) {
  return queryOptions({
    queryKey: ["vehicle-products", skus],
    queryFn: () =>
      answered(client.POST("/api/vehicle-saleor-products", { body: { skus: [...skus] } })),
    enabled: skus.length > 0,
    staleTime: CONSTANTS.vehicleProductsKept,
  });
}

export function harnessesQuery(skus: readonly string[]) {
  return queryOptions({
    queryKey: ["vehicle-products", "t-harness", skus],
    queryFn: () => answered(client.POST("/api/t-harness-by-sku", { body: { skus: [...skus] } })),
    enabled: skus.length > 0,
    staleTime: CONSTANTS.vehicleProductsKept,
  });
}

/** T-harnesses of the store by a term of one's own. */
export function harnessSearchQuery(searchTerm: string) {
  return queryOptions({
    queryKey: ["products", "t-harnesses", searchTerm],
    queryFn: () =>
      answered(
        client.POST("/api/search-products", {
          body: {
            limit: 8,
            page: 1,
            sort: "price-desc",
            searchTerm,
            filters: { brands: [], categories: ["t-harnesses"] },
          },
        }),
      ),
    enabled: searchTerm !== "",
  });
}

export function accessoriesQuery(sku: string) {
  return queryOptions({
    queryKey: ["vehicle-products", "accessories", sku],
    queryFn: () =>
      answered(client.POST("/api/vehicle-saleor-accessory-products", { body: { sku } })),
    enabled: sku !== "",
    staleTime: CONSTANTS.vehicleProductsKept,
  });
}

export function featuresQuery(productId: string) {
  return queryOptions({
    queryKey: ["product-features", productId],
    queryFn: () => answered(client.POST("/api/product-features", { body: { productId } })),
  });
}

export function folderQuery(slug: string | undefined) {
  return queryOptions({
    queryKey: ["folder", slug ?? ""],
    queryFn: () =>
      slug === undefined
        ? answered(client.GET("/api/folder", {}))
        : answered(client.GET("/api/folder/{slug}", { params: { path: { slug } } })),
  });
}
