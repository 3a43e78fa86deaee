import { beforeEach, expect, test } from "vitest";
import {
  forgetSearch,
  type RecentSearch,
  recentSearches,
  remembered,
  rememberSearch,
} from "./recent-searches";

const KEY = "recent_product_searches:guest";
const entry = (name: string, more: Partial<RecentSearch> = {}): RecentSearch => ({
  name,
  count: 1,
  ...more,
});

beforeEach(() => localStorage.removeItem(KEY));

test("the newest is in front and five are kept", () => {
  for (const name of ["a", "b", "c", "d", "e", "f"]) rememberSearch(entry(name));
  expect(recentSearches().map(({ name }) => name)).toEqual(["f", "e", "d", "c", "b"]);
});

test("a repeated one moves to the front with its new count", () => {
  const held = [entry("b"), entry("a")];
  expect(remembered(held, entry("A", { count: 7 }))).toEqual([
    entry("A", { count: 7 }),
    entry("b"),
  ]);
});

test("the same term in a category is another search", () => {
  const within = entry("a", { categorySelected: { name: "RF Kit", slug: "rf-kit" } });
  rememberSearch(entry("a"));
  rememberSearch(within);
  expect(recentSearches()).toEqual([within, entry("a")]);
  forgetSearch(entry("a"));
  expect(recentSearches()).toEqual([within]);
});

test.each(["{", '"text"', '[{"name": 1}]'])("a list that reads %s counts as none", (text) => {
  localStorage.setItem(KEY, text);
  expect(recentSearches()).toEqual([]);
});

test("a card number is not remembered", () => {
  rememberSearch(entry("4242 4242 4242 4242"));
  expect(recentSearches()).toEqual([]);
});
