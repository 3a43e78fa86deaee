import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { anyOf, asking, keyOf } from "~/shared/api/operation";

export type BuyersCase = Schemas["BuyersCase"];

/** What a case may belong to. */
export type Owned = { kind: "order" | "purchase" | "invoice_payment" | "invoice"; id: string };

/** Pays what a bank returned, by a saved method. */
export function payCase(id: string, methodId: string, key: string) {
  return answered(
    client.POST("/v1/cases/{id}/pay", {
      params: { path: { id }, header: { "Idempotency-Key": key } },
      body: { method_id: methodId },
    }),
  );
}

const LOOK_MS = 5000;

const CASES_AT = {
  order: (id: string) => asking("get", "/v1/orders/{id}/cases", { params: { path: { id } } }),
  purchase: (id: string) => asking("get", "/v1/purchases/{id}/cases", { params: { path: { id } } }),
  invoice_payment: (id: string) =>
    asking("get", "/v1/invoice-payments/{id}/cases", { params: { path: { id } } }),
  invoice: (id: string) => asking("get", "/v1/invoices/{id}/cases", { params: { path: { id } } }),
};

/** What happened to the money of an order, a purchase, a payment or an invoice, looked at again while it goes on. */
export const casesOfQuery = ({ kind, id }: Owned) =>
  queryOptions({
    ...CASES_AT[kind](id),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ is_open }) => is_open) ? LOOK_MS : false,
    staleTime: 0,
  });

/** The queries of the cases of all orders, purchases, payments and invoices. */
export const isOfCases = anyOf(
  keyOf("get", "/v1/orders/{id}/cases"),
  keyOf("get", "/v1/purchases/{id}/cases"),
  keyOf("get", "/v1/invoice-payments/{id}/cases"),
  keyOf("get", "/v1/invoices/{id}/cases"),
);
