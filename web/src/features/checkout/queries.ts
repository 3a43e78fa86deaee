import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { keyOf } from "~/shared/api/operation";
import type { PlacementAnswer, Quote } from "./types";

/** The mock run: what an order of this cart would be now. Nothing is done by it. */
function askForQuote(token: string): Promise<Quote> {
  return answered(
    client.POST("/v1/placements/{token}/mock", { params: { path: { token } }, body: {} }),
  );
}

export const quotesOf = (token: string) =>
  keyOf("post", "/v1/placements/{token}/mock", { params: { path: { token } } });

/** Asked anew whenever the cart or its draft was changed (`rev`). */
export const quoteQuery = (token: string, rev: number) =>
  queryOptions({
    queryKey: [...quotesOf(token), rev],
    queryFn: () => askForQuote(token),
    staleTime: 0,
  });

/** What an answer told a moment ago is not asked for again by the page that comes next; in ms. */
const JUST_NOW = 3000;

/** How far the order of this cart is; null while it was never placed. */
export const placementQuery = (token: string) =>
  queryOptions({
    queryKey: keyOf("get", "/v1/placements/{token}", { params: { path: { token } } }),
    queryFn: async (): Promise<PlacementAnswer | null> => {
      const call = client.GET("/v1/placements/{token}", { params: { path: { token } } });
      return (await answered(call)) ?? null;
    },
    staleTime: JUST_NOW,
  });

export function keepPlacement(cache: QueryClient, answer: PlacementAnswer): void {
  const { queryKey } = placementQuery(answer.view.token);
  const held = cache.getQueryData<PlacementAnswer | null>(queryKey);
  if (!held || held.rev < answer.rev) cache.setQueryData(queryKey, answer);
}
