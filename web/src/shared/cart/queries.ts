import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { anyOf, asking, keyOf } from "~/shared/api/operation";

export type Cart = Schemas["Checkout"];
export type CartLine = Schemas["LineOut"];

export const isOfCart = anyOf(
  keyOf("get", "/api/products-checkout/last-b2b-token"),
  keyOf("get", "/api/products-checkout/{token}"),
);

/** The token of the person's present cart for their business, and how many pieces it holds. */
export const latestCartQuery = queryOptions(
  asking("get", "/api/products-checkout/last-b2b-token", {}),
);

/** A cart with prices, stock and totals of this moment. */
export const cartQuery = (token: string) =>
  queryOptions({
    ...asking("get", "/api/products-checkout/{token}", { params: { path: { token } } }),
    staleTime: 0,
  });

/** Asks anew which cart is the present one, and what is in it. */
export async function askForCart(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ predicate: isOfCart });
}
