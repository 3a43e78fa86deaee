import type { QueryClient } from "@tanstack/react-query";
import { type Cart, cartQuery, latestCartQuery } from "./queries";

let last: Promise<unknown> = Promise.resolve();

/** Changes of carts go one after the other, so that each finds what the one before has made. */
export function inTurn<Answer>(change: () => Promise<Answer>): Promise<Answer> {
  const next = last.then(change);
  last = next.catch(() => undefined);
  return next;
}

/** The present cart as an answer told it. What comes late, asked for before it, takes nothing back. */
export async function keepCart(cache: QueryClient, cart: Cart): Promise<void> {
  const { queryKey } = cartQuery(cart.token);
  await cache.cancelQueries({ queryKey });
  const held = cache.getQueryData(queryKey);
  if (held && held.rev > cart.rev) return;
  void cache.cancelQueries({ queryKey: latestCartQuery.queryKey }); // at once: nothing comes between
  cache.setQueryData(queryKey, cart);
  cache.setQueryData(latestCartQuery.queryKey, { token: cart.token, quantity: cart.quantity });
}

export function heldToken(cache: QueryClient): string | undefined {
  return cache.getQueryData(latestCartQuery.queryKey)?.token ?? undefined;
}
