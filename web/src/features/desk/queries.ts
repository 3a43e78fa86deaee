import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type StartPage = Schemas["StartPage"];
const LOOK_AGAIN_MS = 2000;
const MOST_LOOKS = 4;

export type Scope = "mine" | "dealer";

/** Everything that waits for the person, in one read. */
export const startPageQuery = (scope: Scope) =>
  queryOptions({
    ...asking("get", "/v1/start-page", { params: { query: { scope } } }),
    staleTime: 0,
    // Meanwhile the order system is asked for what the business owes.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.orders && !data.credit && dataUpdateCount < MOST_LOOKS ? LOOK_AGAIN_MS : false,
  });
