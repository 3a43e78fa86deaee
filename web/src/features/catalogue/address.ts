import { BEST_MATCH, SORTS, type Sort } from "~/shared/catalogue/types";
import { CONSTANTS, SEARCH_KEYS } from "~/shared/constants";
import { oneOf, query, text, whole } from "~/shared/navigation/query";
import { storageKey } from "~/shared/storage";

const slug = text(/^[a-z0-9-]{1,80}$/);

function slugs(given: unknown): string[] | undefined {
  const known = [given].flat().flatMap((one) => slug(one) ?? []);
  return known.length ? [...new Set(known)] : undefined;
}

/** The address of the search page: unknown values are dropped, the rest is kept (rulings "Calls"). */
export const searchAddress = query({
  [SEARCH_KEYS.brands]: slugs,
  [SEARCH_KEYS.categories]: slugs,
  [SEARCH_KEYS.page]: whole(2),
  [SEARCH_KEYS.term]: text(),
  [SEARCH_KEYS.quickOrder]: oneOf(["true"]),
  [SEARCH_KEYS.sorting]: oneOf(SORTS),
  [SEARCH_KEYS.view]: oneOf(["list"]),
  [SEARCH_KEYS.inStock]: oneOf(["true"]),
});

/** The address of a product, with the SKU that it was searched by. */
export const productAddress = query({ sku: text(/^[\w.-]{1,64}$/) });

export type SearchAddress = ReturnType<typeof searchAddress>;

export type ProductQuery = {
  brands: readonly string[];
  categories: readonly string[];
  page: number;
  term: string;
  sort: Sort;
  view: View;
  inStock: boolean;
};

/** Cards with pictures, or one row for each product. */
export type View = "cards" | "list";

/** What an address asks for. */
export function wantedIn(address: SearchAddress): ProductQuery {
  const term = (address.s ?? "").trim().slice(0, 120);
  const sort = address.so ?? SORTS[0];
  return {
    brands: address.b ?? [],
    categories: address.c ?? [],
    page: address.p ?? 1,
    term,
    sort: sort === BEST_MATCH && !term ? SORTS[0] : sort,
    view: address.v ?? "cards",
    inStock: address.in === "true",
  };
}

/** The address that asks for this; what is the default is left out. */
export function addressOf(wanted: ProductQuery): SearchAddress {
  return {
    b: wanted.brands.length ? [...wanted.brands] : undefined,
    c: wanted.categories.length ? [...wanted.categories] : undefined,
    p: wanted.page > 1 ? wanted.page : undefined,
    s: wanted.term || undefined,
    so: wanted.sort === SORTS[0] ? undefined : wanted.sort,
    v: wanted.view === "list" ? "list" : undefined,
    in: wanted.inStock ? "true" : undefined,
  };
}

const SIZES: readonly number[] = CONSTANTS.productPageSizes;

/** How many products a page shows, kept for each user on this device. */
export function pageSizeOf(userId: string): number {
  const held = Number(localStorage.getItem(storageKey("search_limit", userId)));
  return SIZES.includes(held) ? held : CONSTANTS.productPageSize;
}

export function keepPageSize(userId: string, size: number): void {
  localStorage.setItem(storageKey("search_limit", userId), String(size));
}
