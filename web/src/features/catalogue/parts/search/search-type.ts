import { APPROVED } from "~/shared/catalogue/types";
import type { ProductQuery } from "../../address";

/** What the top search looks in: all, one category (`c:slug`) or one brand (`b:slug`). */
export const ALL = "all";

export function narrowedBy(type: string): Narrowing {
  const [kind, slug] = [type.slice(0, 2), type.slice(2)];
  return {
    brands: kind === "b:" ? [slug] : [],
    categories: kind === "c:" ? [slug] : [],
  };
}

type Narrowing = Pick<ProductQuery, "brands" | "categories">;

/** A new term keeps the filters of the page, unless something else was chosen to search in. */
export function keptBy(type: string, present: Narrowing): Narrowing {
  const { brands, categories } = present;
  return type === typeOf(present) ? { brands, categories } : narrowedBy(type);
}

export function typeOf({ brands, categories }: Narrowing): string {
  const [brand] = brands;
  const [category] = categories;
  if (categories.length === 1 && !brands.length) return `c:${category}`;
  if (brands.length === 1 && !categories.length && brand !== APPROVED) return `b:${brand}`;
  return ALL;
}
