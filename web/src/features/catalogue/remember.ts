import type { CatalogueLists } from "~/shared/catalogue/lists";
import { rememberSearch } from "~/shared/catalogue/recent-searches";
import type { ProductQuery } from "./address";

/** What was searched for last: another page of it, and the way back to it, are no other search. */
let last = "";

/** Keeps a term that was searched for, with the one category and brand that it was searched in. */
export function remember(wanted: ProductQuery, lists: CatalogueLists, count: number): void {
  const { term, categories, brands } = wanted;
  last = searchOf(wanted);
  rememberSearch({
    name: term,
    count,
    categorySelected: only(categories, lists.categories),
    brandSelected: only(brands, lists.brands),
  });
}

/** The same for what an address asks for, once: what somebody forgets stays forgotten. */
export function rememberOnce(wanted: ProductQuery, lists: CatalogueLists, count: number): void {
  if (wanted.term && searchOf(wanted) !== last) remember(wanted, lists, count);
}

function searchOf({ term, categories, brands }: ProductQuery): string {
  return JSON.stringify([term, categories, brands]);
}

function only(slugs: readonly string[], among: CatalogueLists["brands"]) {
  const one = slugs.length === 1 ? among.find(({ slug }) => slug === slugs[0]) : undefined;
  return one && { name: one.name, slug: one.slug };
}
