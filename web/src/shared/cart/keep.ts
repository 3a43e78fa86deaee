import type { QueryClient } from "@tanstack/react-query";
import { type Cart, cartQuery, latestCartQuery } from "./queries";

let last: Promise<unknown> = Promise.resolve();

/** Changes of carts go one after the other, so that each finds what the one before has made. */
export function inTurn<Answer>(change: () => Promise<Answer>): Promise<Answer> {
  const next = last.then(change);
  last = next.catch(() => undefined);
  return next;
}

/** The present cart as an answer told it. */
export function keepCart(cache: QueryClient, cart: Cart): void {
  const { token, quantity } = cache.setQueryData(cartQuery(cart.token).queryKey, cart) ?? cart;
  cache.setQueryData(latestCartQuery.queryKey, { token, quantity });
}

export function heldToken(cache: QueryClient): string | undefined {
  return cache.getQueryData(latestCartQuery.queryKey)?.token ?? undefined;
}
