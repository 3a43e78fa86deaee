import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

/** In ms: what was asked for so lately is not asked for again on the way to its page. */
const FRESH = 10_000;

/** Options of a query, or of one whose data come in pages. */
type Asked = { queryKey: QueryKey };

/**
 * Begins what a page asks for, for its loader: when a link to it is pointed at, and on the way to it. Nothing waits
 * for it, and the page tells what fails.
 */
export function ahead(cache: QueryClient, ...queries: readonly Asked[]): void {
  for (const query of queries) {
    const fresh = { ...query, staleTime: FRESH } as FetchQueryOptions; // the type of the data does not matter here
    if ("initialPageParam" in query) void cache.prefetchInfiniteQuery(fresh as never);
    else void cache.prefetchQuery(fresh);
  }
}
