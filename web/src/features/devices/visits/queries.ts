import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking, askingPages } from "~/shared/api/operation";

export type Visit = Schemas["ShownVisit"];
export type Side = "mine" | "ours";
export type VisitState = Visit["state"];

const PAGE = 20;

/** Visits that this person asked for, or that the business was asked for; newest first. */
export function visitsQuery(of: Side, state?: VisitState) {
  return infiniteQueryOptions({
    ...askingPages("get", "/v1/visits", (at) => ({
      params: { query: { of, state, limit: PAGE, cursor: at } },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** One visit; looked at again while somebody waits for somebody. */
export function visitQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/visits/{id}", { params: { path: { id } } }),
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.state === "waiting" || state.data?.state === "permitted" ? 5000 : false,
  });
}
