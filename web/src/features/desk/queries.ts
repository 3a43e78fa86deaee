import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type StartPage = Schemas["StartPage"];
export type Scope = "mine" | "dealer";

/** Everything that waits for the person, in one read. */
export const startPageQuery = (scope: Scope) =>
  queryOptions({
    ...asking("get", "/v1/start-page", { params: { query: { scope } } }),
    staleTime: 0,
  });
