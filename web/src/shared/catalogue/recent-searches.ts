import { CONSTANTS } from "~/shared/constants";
import { holdsCardNumber } from "~/shared/forms/card-numbers";
import { storedList } from "~/shared/stored-list";
import { having, number, optional, text } from "~/shared/stored-shape";

type Slugged = { name: string; slug: string };

/** A term that was searched for, with the number of its results (shop spec 3). */
export type RecentSearch = {
  name: string;
  count: number;
  categorySelected?: Slugged | undefined;
  brandSelected?: Slugged | undefined;
};

const slugged = having<Slugged>({ name: text, slug: text });
const searches = storedList(
  "recent_product_searches",
  having<RecentSearch>({
    name: text,
    count: number,
    categorySelected: optional(slugged),
    brandSelected: optional(slugged),
  }),
);

/** The newest first, at most five; a repeated one moves to the front (rulings "Where the specs disagree"). */
export function remembered(held: readonly RecentSearch[], next: RecentSearch): RecentSearch[] {
  return [next, ...held.filter((one) => !isSame(one, next))].slice(0, CONSTANTS.recentSearches);
}

function isSame(one: RecentSearch, other: RecentSearch): boolean {
  return (
    one.name.toLowerCase() === other.name.toLowerCase() &&
    one.categorySelected?.slug === other.categorySelected?.slug &&
    one.brandSelected?.slug === other.brandSelected?.slug
  );
}

/** A term that holds a card number is not remembered. */
export function rememberSearch(next: RecentSearch): void {
  if (holdsCardNumber(next.name)) return;
  searches.set(remembered(searches.get(), next));
}

export function forgetSearch(gone: RecentSearch): void {
  searches.set(searches.get().filter((one) => !isSame(one, gone)));
}

export const recentSearches = searches.get;
export const useRecentSearches = searches.use;
