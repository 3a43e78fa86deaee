import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type Payout = Schemas["DealerPayout"];
export const PAYOUT_STATES = [
  "waiting",
  "paying",
  "refused",
  "returned",
  "paid",
  "settled",
] as const;
export type PayoutList = "open" | Payout["state"];

const LOOK_AGAIN_MS = 5000;
export const PAYOUTS_PAGE = 50;

export const payoutsQuery = (shown: PayoutList) =>
  queryOptions({
    ...asking("get", "/v1/payouts", { params: { query: { shown, limit: PAYOUTS_PAGE } } }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });

/** Which of them an address names. */
export function payoutsIn(named: string | undefined): PayoutList {
  return PAYOUT_STATES.find((state) => state === named) ?? "open";
}

/** Sends a payout again; the same key does it once. */
export function retryPayout({ dealer_id, month }: Payout, note: string, key: string) {
  return answered(
    client.POST("/v1/payouts/{dealer_id}/{month}/retry", {
      params: { path: { dealer_id, month }, header: { "Idempotency-Key": key } },
      body: { note },
    }),
  );
}

/** Takes a payout off the list that was paid in another way. */
export function settlePayout({ dealer_id, month }: Payout, note: string, key: string) {
  return answered(
    client.POST("/v1/payouts/{dealer_id}/{month}/settle", {
      params: { path: { dealer_id, month }, header: { "Idempotency-Key": key } },
      body: { note },
    }),
  );
}
