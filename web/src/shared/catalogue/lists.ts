import { useLingui } from "@lingui/react/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { asking } from "~/shared/api/operation";
import {
  BUILT_IN_BRANDS,
  BUILT_IN_CATEGORIES,
  categoryName,
  type Slugged,
} from "~/shared/navigation/catalogue";

/** Fetched once at start (shop spec 2). */
export const brandsQuery = queryOptions({
  ...asking("get", "/api/product-brands", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export const categoriesQuery = queryOptions({
  ...asking("get", "/api/product-categories", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

/** All brands; the built-in ones while and when they cannot be fetched. Drawn in pieces, between which a press is answered. */
export function useBrands(): readonly Slugged[] {
  const brands = useDeferredValue(useQuery(brandsQuery).data);
  return brands?.length ? brands : BUILT_IN_BRANDS;
}

export type CatalogueLists = { brands: readonly Slugged[]; categories: readonly Slugged[] };

/**
 * Brands, and categories in the page's language; the built-in ones while and when they cannot be fetched (shop spec 3).
 */
export function useCatalogueLists(): CatalogueLists {
  // Menus, filters and foot are drawn anew by them.
  const brands = useBrands();
  const categories = useDeferredValue(useQuery(categoriesQuery).data);
  const { i18n } = useLingui();
  const { locale } = i18n;
  const named = useMemo(
    () =>
      inWords(categories?.length ? categories : BUILT_IN_CATEGORIES, locale, (one) =>
        categoryName(i18n, one),
      ),
    [categories, i18n, locale],
  );
  return { brands, categories: named };
}

/** The server sorts by the English names. */
function inWords(
  found: readonly Slugged[],
  locale: string,
  name: (one: Slugged) => string,
): readonly Slugged[] {
  const named = found.map((one) => ({ ...one, name: name(one) }));
  return locale === "en" ? named : named.sort((a, b) => a.name.localeCompare(b.name, locale));
}
