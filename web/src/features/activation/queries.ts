import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { Problem } from "~/shared/api/errors";
import { asking, askingPages, keyOf } from "~/shared/api/operation";
import type { TableName } from "./option-tables/option-tables";
import { asActivation } from "./types";

export type Scope = "mine" | "dealer";

const PAGE = 20;

export function activationQuery(id: string) {
  return queryOptions({
    queryKey: keyOf("get", "/v1/activations/{id}", { params: { path: { id } } }),
    queryFn: async () => {
      const params = { path: { id } };
      const answer = asActivation(await answered(client.GET("/v1/activations/{id}", { params })));
      if (!answer) throw new Problem(404, {});
      return answer;
    },
    staleTime: 0,
  });
}

const LOOK_AGAIN_MS = 3000;

/** What an activation brought, and how far the payment of its plan is; looked at again while that goes on. */
export function outcomeQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/outcome", { params: { path: { id } } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.plan?.ended === false ? LOOK_AGAIN_MS : false),
  });
}

export type Unfinished = Schemas["ActivationsPage"];

/** Unfinished activations, newest first, a page at a time. */
export function unfinishedQuery(scope: Scope) {
  return infiniteQueryOptions({
    ...askingPages("get", "/v1/activations", (at) => ({
      params: { query: { scope, state: "open", limit: PAGE, cursor: at } },
    })),
    getNextPageParam: (last) => last.end_cursor ?? undefined,
  });
}

/** What the network says of a device that its person named before: asked once each time the page is opened. */
export function deviceCheckQuery(deviceKey: string, isCanadianUser: boolean) {
  return queryOptions({
    ...asking("post", "/api/iot/device-check", {
      body: { device_key: deviceKey, isCanadianUser },
    }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function colleaguesQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/colleagues", {
      params: { path: { id } },
    }),
  });
}

/** One option table with its schema and the device's values. Never kept: the device is the truth. */
export function optionTablesQuery(id: string, table: TableName) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/option-tables", {
      params: { path: { id }, query: { table } },
    }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** What finished activations of the same vehicle and product wrote most. */
export function optionSuggestionsQuery(id: string, table: TableName) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/option-suggestions", {
      params: { path: { id }, query: { table } },
    }),
  });
}

/** Who may share a reward: the installers of the dealer. */
export function installersQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/activations/{id}/installers", { params: { path: { id } } }),
  });
}
