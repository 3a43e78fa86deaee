import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";
import { holdsCardNumber } from "~/shared/forms/card-numbers";
import { session } from "~/shared/session/session";
import { storageKey } from "~/shared/storage";
import { signal } from "~/shared/store";

const slugged = z.object({ name: z.string(), slug: z.string() });
const entry = z.object({
  name: z.string(),
  count: z.number(),
  categorySelected: z.optional(slugged),
  brandSelected: z.optional(slugged),
});
const entries = z.array(entry);

/** A term that was searched for, with the number of its results (shop spec 3). */
export type RecentSearch = z.infer<typeof entry>;

/** The newest first, at most five; a repeated one moves to the front (rulings "Where the specs disagree"). */
export function remembered(held: readonly RecentSearch[], next: RecentSearch): RecentSearch[] {
  return [next, ...held.filter((one) => !isSame(one, next))].slice(0, CONSTANTS.recentSearches);
}

export function isSame(one: RecentSearch, other: RecentSearch): boolean {
  return (
    one.name.toLowerCase() === other.name.toLowerCase() &&
    one.categorySelected?.slug === other.categorySelected?.slug &&
    one.brandSelected?.slug === other.brandSelected?.slug
  );
}

const changes = signal();
let read: { key: string; text: string | null; list: readonly RecentSearch[] } | undefined;

/** A term that holds a card number is not remembered. */
export function rememberSearch(next: RecentSearch): void {
  if (holdsCardNumber(next.name)) return;
  write(remembered(recentSearches(), next));
}

export function forgetSearch(gone: RecentSearch): void {
  write(recentSearches().filter((one) => !isSame(one, gone)));
}

export function useRecentSearches(): readonly RecentSearch[] {
  return useSyncExternalStore(changes.on, recentSearches);
}

/** Those of the present user; a list that somebody tampered with counts as none. */
export function recentSearches(): readonly RecentSearch[] {
  const key = ownKey();
  const text = localStorage.getItem(key);
  if (read?.key !== key || read.text !== text) read = { key, text, list: parsed(text) };
  return read.list;
}

function parsed(text: string | null): readonly RecentSearch[] {
  try {
    const found = z.safeParse(entries, JSON.parse(text ?? "[]"));
    return found.success ? found.data.slice(0, CONSTANTS.recentSearches) : [];
  } catch {
    return [];
  }
}

function write(list: readonly RecentSearch[]): void {
  localStorage.setItem(ownKey(), JSON.stringify(list));
  changes.tell();
}

function ownKey(): string {
  const now = session();
  return storageKey("recent_product_searches", now.state === "anonymous" ? "guest" : now.user.id);
}
