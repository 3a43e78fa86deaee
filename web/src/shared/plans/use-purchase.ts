import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer } from "react";
import { problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import type { Mirror } from "~/shared/flow/mirror";
import { live } from "~/shared/live/live";
import { type PurchaseWish, tellPurchase } from "./calls";
import { hasDrifted, mirrored } from "./chart";
import { purchaseQuery } from "./queries";
import type { PurchaseAnswer } from "./types";

type Held = { answer: PurchaseAnswer; mirror: Mirror | undefined; drift: number };

function held(answer: PurchaseAnswer): Held {
  return { answer, mirror: mirrored(answer), drift: 0 };
}

/** After a snapshot: an older one changes nothing, and a move that the chart lacks is counted. */
export function taken(before: Held, answer: PurchaseAnswer): Held {
  if (answer.rev <= before.answer.rev) return before;
  const jumped = hasDrifted(before.mirror, answer) ? 1 : 0;
  return { answer, mirror: mirrored(answer), drift: before.drift + jumped };
}

/** One purchase on screen: what the server last said of it, and the one way to ask it for something. */
export function usePurchase(first: PurchaseAnswer) {
  const cache = useQueryClient();
  const [{ answer, drift }, take] = useReducer(taken, first, held);
  const { id } = first;
  // the stream carries the same answer as the calls
  useEffect(() => live.follow(`purchase:${id}`, (event) => take(event as PurchaseAnswer)), [id]);
  useEffect(() => take(first), [first]);

  const sending = useMutation({
    mutationFn: ({ wish, key }: { wish: PurchaseWish; key: string }) => tellPurchase(id, wish, key),
    onSuccess: (told) => ("view" in told ? take(told) : undefined),
    // after a refusal the screen may be behind
    onError: async () => take(await cache.fetchQuery(purchaseQuery(id))),
  });
  const { mutate, variables } = sending;
  const ask = useCallback((wish: PurchaseWish) => mutate({ wish, key: newKey() }), [mutate]);
  return {
    answer,
    drift,
    free: !sending.isPending,
    problem: sending.error ? problemOf(sending.error) : undefined,
    ask,
    again: () => variables && mutate(variables),
    dismiss: sending.reset,
  };
}

export type PurchaseRun = ReturnType<typeof usePurchase>;
