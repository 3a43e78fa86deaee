import type { FetchQueryOptions, Query, QueryClient, QueryKey } from "@tanstack/react-query";

/** In ms: what was asked for so lately is not asked for again on the way to its page. */
const FRESH = 10_000;

/** In ms: what came so lately was asked for by the loader of the page that is shown now. */
const JUST_NOW = 3_000;

/** Options of a query, or of one whose data come in pages. */
type Asked = { queryKey: QueryKey; gcTime?: number };

/**
 * Begins what a page asks for, for its loader: when a link to it is pointed at, and on the way to it. Nothing waits
 * for it, and the page tells what fails.
 */
export function ahead(cache: QueryClient, ...queries: readonly Asked[]): void {
  for (const query of queries) {
    const gcTime = query.gcTime === 0 ? FRESH : query.gcTime; // it would be dropped before its page can show it
    const fresh = { ...query, staleTime: FRESH, gcTime } as FetchQueryOptions; // the type of the data does not matter here
    if ("initialPageParam" in query) void cache.prefetchInfiniteQuery(fresh as never);
    else void cache.prefetchQuery(fresh);
  }
}

/** Whether a page that comes on screen asks again for what is held: not for what its loader has just fetched. */
export function asksAgain({ state }: Query): boolean {
  return state.isInvalidated || Date.now() - state.dataUpdatedAt > JUST_NOW;
}

/** Whether what is held may lack what a stream tells first: not what is being asked for, or has just come. */
export function isOld(query: Query): boolean {
  return query.state.fetchStatus === "idle" && asksAgain(query);
}
