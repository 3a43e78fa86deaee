import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";

export type Cart = Schemas["Checkout"];
export type CartLine = Schemas["LineOut"];

const LATEST = ["cart", "latest"] as const;
const ofToken = (token: string) => ["cart", "of", token] as const;

/** The token of the person's present cart for their business, and how many pieces it holds. */
export const latestCartQuery = queryOptions({
  queryKey: LATEST,
  queryFn: () => answered(client.GET("/api/products-checkout/last-b2b-token", {})),
});

/** A cart with prices, stock and totals of this moment. */
export const cartQuery = (token: string) =>
  queryOptions({
    queryKey: ofToken(token),
    queryFn: () =>
      answered(client.GET("/api/products-checkout/{token}", { params: { path: { token } } })),
    staleTime: 0,
  });

/** The present cart as an answer told it. */
export function keepCart(cache: QueryClient, cart: Cart): void {
  cache.setQueryData(ofToken(cart.token), cart);
  cache.setQueryData(LATEST, { token: cart.token, quantity: cart.quantity });
}

export function heldToken(cache: QueryClient): string | undefined {
  return cache.getQueryData<Schemas["LatestCart"]>(LATEST)?.token ?? undefined;
}

/** Asks anew which cart is the present one, and what is in it. */
export async function askForCart(cache: QueryClient): Promise<void> {
  await cache.invalidateQueries({ queryKey: ["cart"] });
}
