import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { asking } from "~/shared/api/operation";
import { BEST_MATCH } from "./types";

const MOST_SUGGESTED = 6;
const KEPT_MS = 30_000;

type Narrowing = { brands: readonly string[]; categories: readonly string[] };

/** The nearest products while something is typed, at the caller's prices. */
export const suggestionsQuery = (
  typed: string,
  within: Narrowing = { brands: [], categories: [] },
) =>
  queryOptions({
    ...asking("post", "/api/search-products", {
      body: {
        limit: MOST_SUGGESTED,
        page: 1,
        sort: BEST_MATCH,
        searchTerm: typed.slice(0, 120),
        filters: {
          brands: [...within.brands],
          categories: [...within.categories],
          inStock: false,
        },
      },
    }),
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
  });
