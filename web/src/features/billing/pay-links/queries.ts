import { queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { asking } from "~/shared/api/operation";

export type PayLink = Schemas["PayLinkOut"];
export type InvoiceSeen = Schemas["InvoiceSeen"];

/** How often somebody with a link looks how their payment stands. */
const LOOK_MS = 2000;
const MOVES: readonly InvoiceSeen["state"][] = ["paying", "busy", "action_required"];

export function payLinksQuery(invoice: string) {
  return queryOptions({
    ...asking("get", "/v1/pay-links", { params: { query: { invoice } } }),
    retry: false,
    staleTime: 0,
  });
}

/** The invoice of a link, looked at again while it is being paid. */
export function seenQuery(token: string) {
  return queryOptions({
    ...asking("post", "/v1/pay-links/open", { body: { token } }),
    refetchInterval: ({ state }) =>
      state.data && MOVES.includes(state.data.state) ? LOOK_MS : false,
    staleTime: 0,
  });
}

const once = (key: string) => ({ header: { "Idempotency-Key": key } });

export function makePayLink(invoice: string, madeFor: string, key: string) {
  return answered(
    client.POST("/v1/pay-links", { params: once(key), body: { invoice, made_for: madeFor } }),
  );
}

export function revokePayLink(id: string) {
  return answered(client.POST("/v1/pay-links/{id}/revoke", { params: { path: { id } }, body: {} }));
}

export function payByLink(
  token: string,
  card: string,
  planHash: string | null,
  key: string,
): Promise<InvoiceSeen> {
  const body = { token, card, plan_hash: planHash };
  return answered(client.POST("/v1/pay-links/pay", { params: once(key), body }));
}
