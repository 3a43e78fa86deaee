import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { anyOf, asking, keyOf } from "~/shared/api/operation";
import { live } from "~/shared/live/live";

export type BuyersCase = Schemas["BuyersCase"];

/** What a case may belong to. */
export type Owned = { kind: keyof typeof CASES_AT; id: string };

/** Pays what a bank returned, by a saved method. */
export function payCase(id: string, methodId: string, key: string) {
  return answered(
    client.POST("/v1/cases/{id}/pay", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
      body: { method_id: methodId },
    }),
  );
}

const CASES_AT = {
  order: (id: string) => asking("get", "/v1/orders/{id}/cases", { params: { path: { id } } }),
  placement: (token: string) =>
    asking("get", "/v1/placements/{token}/cases", { params: { path: { token } } }),
  purchase: (id: string) => asking("get", "/v1/purchases/{id}/cases", { params: { path: { id } } }),
  invoice_payment: (id: string) =>
    asking("get", "/v1/invoice-payments/{id}/cases", { params: { path: { id } } }),
  invoice: (id: string) => asking("get", "/v1/invoices/{id}/cases", { params: { path: { id } } }),
  credit_memo: (id: string) =>
    asking("get", "/v1/credit-memos/{id}/cases", { params: { path: { id } } }),
};

/** What happened to the money of an order, one that came to nothing, a purchase, a payment, an invoice or a credit memo. */
export const casesOfQuery = ({ kind, id }: Owned) =>
  queryOptions({ ...CASES_AT[kind](id), staleTime: 0 });

const orderKey = (id: string) => keyOf("get", "/v1/orders/{id}", { params: { path: { id } } });

/** As many as one stream takes beside what else is followed. */
const MOST_FOLLOWED = 10;

/** Asks for them anew whenever one that is open has changed. */
export function useCaseNews({ kind, id }: Owned, cases: readonly BuyersCase[] = []): void {
  const cache = useQueryClient();
  const followed = cases
    .filter(({ is_open }) => is_open)
    .slice(0, MOST_FOLLOWED)
    .map((one) => one.id)
    .join();
  useEffect(() => {
    if (!followed) return;
    const { queryKey } = casesOfQuery({ kind, id });
    const look = () => {
      void cache.invalidateQueries({ queryKey });
      // Its sums tell what was given back.
      if (kind === "order") void cache.invalidateQueries({ queryKey: orderKey(id) });
    };
    const stops = followed.split(",").map((one) => live.follow(`own-case:${one}`, look));
    return () => {
      for (const stop of stops) stop();
    };
  }, [cache, kind, id, followed]);
}

/** The queries of the cases of all orders, placements, purchases, payments, invoices and credit memos. */
export const isOfCases = anyOf(
  keyOf("get", "/v1/orders/{id}/cases"),
  keyOf("get", "/v1/placements/{token}/cases"),
  keyOf("get", "/v1/purchases/{id}/cases"),
  keyOf("get", "/v1/invoice-payments/{id}/cases"),
  keyOf("get", "/v1/invoices/{id}/cases"),
  keyOf("get", "/v1/credit-memos/{id}/cases"),
);
