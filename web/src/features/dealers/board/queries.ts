import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, askingPages, keyOf } from "~/shared/api/operation";

export type OpenActivation = Schemas["OpenActivation"];
export type Group = Schemas["Group"];
export type BoardFilters = { owner?: string; product?: string; step?: string };

/** Null stands for all businesses, which administrators see. */
export type Whose = string | null;

const PAGE = 20;
const LOOK_AGAIN_MS = 30_000;

/** What the open board of a dealer holds; each change of the team asks for it anew. */
export const boardKey = (dealerId: string) =>
  keyOf("get", "/v1/dealers/{id}/open-activations", { params: { path: { id: dealerId } } });

export function openQuery(whose: Whose, { owner, product, step }: BoardFilters) {
  const page = (at: string | undefined) => ({
    owner_id: owner,
    product,
    step,
    limit: PAGE,
    cursor: at,
  });
  return infiniteQueryOptions({
    ...(whose === null
      ? askingPages("get", "/v1/operations/open-activations", (at) => ({
          params: { query: page(at) },
        }))
      : askingPages("get", "/v1/dealers/{id}/open-activations", (at) => ({
          params: { path: { id: whose }, query: page(at) },
        }))),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
    staleTime: 0,
  });
}

export const stepsQuery = queryOptions({
  ...asking("get", "/v1/operations/activation-steps", {}),
});

/** Mails the owner of an activation that it waits. */
export function remind(id: string, key: string) {
  return answered(
    client.POST("/v1/activations/{id}/remind", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
    }),
  );
}

/** Makes somebody the owner of an activation; what was changed since the board was read is refused. */
export function handOver({ id, seq }: OpenActivation, to: string, key: string) {
  return answered(
    client.POST("/v1/activations/{id}/hand-over", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
      body: { seq, user_id: to, note: "", only_to_pay: false },
    }),
  );
}
