import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, askingPages, keyOf } from "~/shared/api/operation";

export type Overview = Schemas["Overview"];
export type Run = Schemas["RunAnswer"];
export type RunKind = Run["kind"];
export type Thing = Schemas["Thing"];
export type Retrying = Schemas["Retrying"];
export type RunList = Schemas["RunList"];
export type RunFilters = { shown?: RunList; kind?: RunKind; state?: string; subject?: string };
/** What of the other lists is shown. */
export type OtherLists = { payouts?: string; differences?: string };
export type OperationsAddress = RunFilters & OtherLists;

const LOOK_AGAIN_MS = 5000;

export const overviewQuery = queryOptions({
  ...asking("get", "/v1/operations", {}),
  refetchInterval: LOOK_AGAIN_MS,
});

export const runsQuery = (filters: RunFilters) =>
  infiniteQueryOptions({
    ...askingPages("get", "/v1/operations/runs", (at) => ({
      params: { query: { ...filters, limit: 25, cursor: at } },
    })),
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });

type Named = { kind: RunKind; id: string };

export const runQuery = ({ kind, id }: Named) =>
  queryOptions({
    ...asking("get", "/v1/operations/runs/{kind}/{id}", { params: { path: { kind, id } } }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export const movesQuery = ({ kind, id }: Named) =>
  infiniteQueryOptions({
    queryKey: keyOf("get", "/v1/operations/runs/{kind}/{id}/transitions", {
      params: { path: { kind, id } },
    }),
    queryFn: ({ pageParam }) =>
      answered(
        client.GET("/v1/operations/runs/{kind}/{id}/transitions", {
          params: { path: { kind, id }, query: { after: pageParam } },
        }),
      ),
    initialPageParam: -1,
    getNextPageParam: ({ end }) => end ?? undefined,
    refetchInterval: LOOK_AGAIN_MS,
  });

/** Has what waits for its next try tried at once. */
export function tryAgain({ kind, id }: Named) {
  return answered(
    client.POST("/v1/operations/runs/{kind}/{id}/try-again", { params: { path: { kind, id } } }),
  );
}

/** Says what was done about a run; the same key says it once. */
export function settle({ kind, id }: Named, note: string, key: string) {
  return answered(
    client.POST("/v1/operations/runs/{kind}/{id}/settle", {
      params: { path: { kind, id }, header: { "Idempotency-Key": key } },
      body: { note },
    }),
  );
}

export type GivenUpKind = Extract<RunKind, "purchase" | "invoice_payment">;

/** Gives a purchase or a payment up in the place of its buyer; the same key does it once. */
export function giveUp(kind: GivenUpKind, id: string, note: string, key: string) {
  return answered(
    client.POST("/v1/operations/runs/{kind}/{id}/give-up", {
      params: { path: { kind, id }, header: { "Idempotency-Key": key } },
      body: { note },
    }),
  );
}

export type OpenEffect = Schemas["OpenEffect"];

/** Says whether an effect without an outcome happened. */
export function closeEffect(effect: string, happened: boolean, note: string, key: string) {
  return answered(
    client.POST("/v1/operations/effects/close", {
      params: { header: { "Idempotency-Key": key } },
      body: { key: effect, happened, note },
    }),
  );
}

export type How = Schemas["SettlePlacement"]["how"];

/** Has an order's placement tried again, given up, or noted as settled by hand. */
export function settlePlacement(token: string, how: How, note: string, key: string) {
  return answered(
    client.POST("/v1/placements/{token}/settle", {
      params: { path: { token }, header: { "Idempotency-Key": key } },
      body: { how, note },
    }),
  );
}
