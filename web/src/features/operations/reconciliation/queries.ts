import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, askingPages } from "~/shared/api/operation";

export type Reconciliation = Schemas["Reconciliation"];
export type Difference = Schemas["KnownDifference"];
export type DifferenceKind = Schemas["DifferenceKind"];
export type DifferenceState = Schemas["DifferenceState"];

const LOOK_AGAIN_MS = 5000;

export const reconciliationQuery = queryOptions({
  ...asking("get", "/v1/operations/reconciliation", {}),
  refetchInterval: LOOK_AGAIN_MS,
});

export const differencesQuery = (shown: DifferenceState) =>
  infiniteQueryOptions({
    ...askingPages("get", "/v1/operations/reconciliation/differences", (at) => ({
      params: { query: { shown, limit: 25, cursor: at } },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });

/** Compares the books now; the same key begins one round. */
export function compareNow(key: string) {
  return answered(
    client.POST("/v1/operations/reconciliation", {
      params: { header: { "Idempotency-Key": key } },
    }),
  );
}

/** Says what was done about a difference; the same key says it once. */
export function settleDifference(id: string, note: string, key: string) {
  return answered(
    client.POST("/v1/operations/reconciliation/differences/{id}/settle", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
      body: { note },
    }),
  );
}
