import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer } from "react";
import { problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import type { Mirror } from "~/shared/flow/mirror";
import { live } from "~/shared/live/live";
import { type PlacementWish, tellPlacement } from "./calls";
import { hasDrifted, mirrored } from "./chart";
import { keepPlacement, placementQuery } from "./queries";
import type { PlacementAnswer } from "./types";

type Held = { answer: PlacementAnswer; mirror: Mirror | undefined; drift: number };

function held(answer: PlacementAnswer): Held {
  return { answer, mirror: mirrored(answer), drift: 0 };
}

/** After a snapshot: an older one changes nothing, and a move that the chart lacks is counted. */
export function taken(before: Held, answer: PlacementAnswer): Held {
  if (answer.rev <= before.answer.rev) return before;
  const jumped = hasDrifted(before.mirror, answer) ? 1 : 0;
  return { answer, mirror: mirrored(answer), drift: before.drift + jumped };
}

/** One placement on screen: what the server last said of it, and the one way to ask it for something. */
export function usePlacement(first: PlacementAnswer) {
  const cache = useQueryClient();
  const [{ answer, drift }, take] = useReducer(taken, first, held);
  const { token } = first.view;
  // the stream carries the same answer as the calls
  useEffect(
    () => live.follow(`placement:${token}`, (event) => take(event as PlacementAnswer)),
    [token],
  );
  useEffect(() => take(first), [first]);
  useEffect(() => keepPlacement(cache, answer), [cache, answer]);

  const sending = useMutation({
    mutationFn: ({ wish, key }: { wish: PlacementWish; key: string }) =>
      tellPlacement(token, wish, key),
    onSuccess: (told) => ("view" in told ? take(told) : undefined),
    // after a refusal the screen may be behind
    onError: async () => {
      const now = await cache.fetchQuery(placementQuery(token));
      if (now) take(now);
    },
  });
  const { mutate, variables } = sending;
  const ask = useCallback((wish: PlacementWish) => mutate({ wish, key: newKey() }), [mutate]);
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

export type PlacementRun = ReturnType<typeof usePlacement>;
