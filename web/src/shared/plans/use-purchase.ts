import { useQueryClient } from "@tanstack/react-query";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { type PurchaseWish, tellPurchase } from "./calls";
import { PURCHASE } from "./flow";
import { purchaseQuery } from "./queries";
import type { PurchaseAnswer } from "./types";

/** One purchase on screen. */
export function usePurchase(first: PurchaseAnswer): PurchaseRun {
  const cache = useQueryClient();
  const { id } = first;
  return useFlow(first, {
    topic: `purchase:${id}`,
    kind: PURCHASE,
    tell: (wish, key) => tellPurchase(id, wish, key),
    read: () => cache.fetchQuery(purchaseQuery(id)),
  });
}

export type PurchaseRun = Flow<PurchaseAnswer, PurchaseWish>;
