import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { type PurchaseCommand, sendPurchaseCommand } from "../calls";
import { keepPurchase, purchaseQuery } from "../queries";
import type { PurchaseAnswer } from "../types";
import { PURCHASE } from "./flow";

/** One purchase on screen. What it becomes is kept for the page that comes after. */
export function usePurchase(first: PurchaseAnswer): PurchaseRun {
  const cache = useQueryClient();
  const { id } = first;
  const run = useFlow(first, {
    topic: `purchase:${id}`,
    kind: PURCHASE,
    send: (command, key) => sendPurchaseCommand(id, command, key),
    read: () => cache.fetchQuery(purchaseQuery(id)),
  });
  const { answer } = run;
  useEffect(() => keepPurchase(cache, answer), [cache, answer]);
  return run;
}

export type PurchaseRun = Flow<PurchaseAnswer, PurchaseCommand>;
