import { APPROVED } from "~/shared/catalogue/types";
import type { ProductQuery } from "../address";

/** What the top search looks in: all, one category (`c:slug`) or one brand (`b:slug`). */
export const ALL = "all";

export function narrowedBy(type: string): Pick<ProductQuery, "brands" | "categories"> {
  const [kind, slug] = [type.slice(0, 2), type.slice(2)];
  return {
    brands: kind === "b:" ? [slug] : [],
    categories: kind === "c:" ? [slug] : [],
  };
}

export function typeOf({
  brands,
  categories,
}: Pick<ProductQuery, "brands" | "categories">): string {
  const [brand] = brands;
  const [category] = categories;
  if (categories.length === 1 && !brands.length) return `c:${category}`;
  if (brands.length === 1 && !categories.length && brand !== APPROVED) return `b:${brand}`;
  return ALL;
}
