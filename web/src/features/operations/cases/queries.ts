import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking, askingPages } from "~/shared/api/operation";

export type Case = Schemas["CaseAnswer"];
/** As its run shows it. */
export type CaseView = Omit<Schemas["ListedCase"], "allowed">;

const PAGE = 25;
const LOOK_AGAIN_MS = 5000;

export const casesQuery = ({ ended }: { ended: boolean }) =>
  infiniteQueryOptions({
    ...askingPages("get", "/v1/operations/cases", (at) => ({
      params: { query: { ended, limit: PAGE, cursor: at } },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });

export const caseQuery = (id: string) =>
  queryOptions({
    ...asking("get", "/v1/operations/cases/{id}", { params: { path: { id } } }),
    // its run tells the rest, once there is one
    refetchInterval: ({ state }) => (state.data && isShown(state.data) ? false : LOOK_AGAIN_MS),
  });

/** Whether its run has shown itself, and can be followed. */
export const isShown = ({ rev }: Case) => rev >= 0;
