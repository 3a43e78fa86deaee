import { useQueryClient } from "@tanstack/react-query";
import { useRun } from "~/shared/flow/use-run";
import { type PurchaseWish, tellPurchase } from "./calls";
import { chartOf } from "./chart";
import { purchaseQuery } from "./queries";
import type { PurchaseAnswer } from "./types";

/** One purchase on screen. */
export function usePurchase(first: PurchaseAnswer) {
  const cache = useQueryClient();
  const { id } = first;
  return useRun(first, {
    topic: `purchase:${id}`,
    chartOf,
    tell: (wish: PurchaseWish, key) => tellPurchase(id, wish, key),
    read: () => cache.fetchQuery(purchaseQuery(id)),
  });
}

export type PurchaseRun = ReturnType<typeof usePurchase>;
