import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { asking } from "~/shared/api/operation";
import { BUILT_IN_BRANDS, BUILT_IN_CATEGORIES, type Slugged } from "~/shared/navigation/catalogue";

/** Fetched once at start (shop spec 2). */
export const brandsQuery = queryOptions({
  ...asking("get", "/api/product-brands", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export const categoriesQuery = queryOptions({
  ...asking("get", "/api/product-categories", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export type CatalogueLists = { brands: readonly Slugged[]; categories: readonly Slugged[] };

/** Brands and categories; the built-in ones while and when they cannot be fetched (shop spec 3). */
export function useCatalogueLists(): CatalogueLists {
  // Menus, filters and foot are drawn anew by them: in pieces, between which a press is answered.
  const brands = useDeferredValue(useQuery(brandsQuery).data);
  const categories = useDeferredValue(useQuery(categoriesQuery).data);
  return {
    brands: brands?.length ? brands : BUILT_IN_BRANDS,
    categories: categories?.length ? categories : BUILT_IN_CATEGORIES,
  };
}
