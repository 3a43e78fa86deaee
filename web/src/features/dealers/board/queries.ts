import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";

export type OpenActivation = Schemas["OpenActivation"];
export type Group = Schemas["Group"];
export type BoardFilters = { owner?: string; product?: string; step?: string };

/** Null stands for all businesses, which administrators see. */
export type Whose = string | null;

const PAGE = 20;
const LOOK_AGAIN_MS = 30_000;

/** What an open board holds; each change of the team asks for it anew. */
export const boardKey = (whose: Whose) => ["dealers", whose, "board"] as const;

export function openQuery(whose: Whose, { owner, product, step }: BoardFilters) {
  return infiniteQueryOptions({
    queryKey: [...boardKey(whose), "open", owner, product, step],
    queryFn: ({ pageParam }) => {
      const query = { owner_id: owner, product, step, limit: PAGE, cursor: pageParam };
      return answered(
        whose === null
          ? client.GET("/v1/operations/open-activations", { params: { query } })
          : client.GET("/v1/dealers/{id}/open-activations", {
              params: { path: { id: whose }, query },
            }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
    staleTime: 0,
  });
}

export const stepsQuery = queryOptions({
  queryKey: ["operations", "activation-steps"],
  queryFn: () => answered(client.GET("/v1/operations/activation-steps", {})),
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
      body: { seq, user_id: to },
    }),
  );
}
