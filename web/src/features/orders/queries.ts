import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking, keyOf } from "~/shared/api/operation";
import { pageOf } from "~/shared/api/page-load";
import { type OrdersQuery, statusesOf } from "./address";

export type OrderSummary = Schemas["OrderSummaryOut"];
export type Order = Schemas["OrderOut"];
export type Reordered = Schemas["Added"];

/** A page of the business's orders; the page before stays in view until it is there. */
export function ordersQuery({ term, from, to, status, sort, page, rows }: OrdersQuery) {
  const asked = asking("post", "/api/order-transactions", {
    body: {
      search: term,
      since: from,
      until: to,
      status: statusesOf(status),
      sort,
      page,
      limit: rows,
    },
  });
  return queryOptions({
    queryKey: asked.queryKey,
    queryFn: () => pageOf(asked.queryFn()),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** One order; its changes are heard of by the live stream. */
export function orderQuery(id: string) {
  return queryOptions({
    ...asking("get", "/v1/orders/{id}", { params: { path: { id } } }),
    staleTime: 0,
  });
}

/** The list as a file: the chosen orders, else every one that fits, not this page alone. */
export function exported(
  { term, from, to, status, sort }: OrdersQuery,
  chosen: readonly string[],
  language: "en" | "fr",
): Promise<string> {
  const narrowed = { search: term, since: from, until: to, status: statusesOf(status) };
  return answered(
    client.GET("/v1/orders.csv", {
      params: {
        query: {
          ...(chosen.length > 0 ? { id: [...chosen] } : narrowed),
          sort,
          language,
        },
      },
      parseAs: "text",
    }),
  );
}

/** What became of each line of an order: whether it can be bought now, and at what price. */
export function againQuery({ lines }: Order) {
  const text = lines.map(({ sku, quantity }) => `${sku},${quantity}`).join("\n");
  return queryOptions({
    ...asking("post", "/v1/quick-orders/check", { body: { text } }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** These lines of the order, counted from 1, into the cart, as far as they can still be bought. */
export function reorder(id: string, lines: number[], key: string): Promise<Reordered> {
  return answered(
    client.POST("/v1/orders/{id}/reorder", {
      params: { path: { id }, query: { line: lines }, header: { "Idempotency-Key": key } },
    }),
  );
}

/** The run that places the order, while it does. */
export function placementQuery(token: string) {
  return queryOptions({
    queryKey: keyOf("get", "/v1/placements/{token}", { params: { path: { token } } }),
    queryFn: async () => {
      const call = client.GET("/v1/placements/{token}", { params: { path: { token } } });
      return (await answered(call)) ?? null;
    },
    retry: false,
    staleTime: 0,
  });
}

export function cancelOrder(token: string, reason: string, key: string) {
  return answered(
    client.POST("/v1/placements/{token}/cancel", {
      params: { path: { token }, header: { "Idempotency-Key": key } },
      body: { reason },
    }),
  );
}
