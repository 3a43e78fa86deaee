import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer } from "react";
import type { Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import { live } from "~/shared/live/live";
import { type ChartOf, held, type RunAnswer, taken } from "./walk";

/** How a run is reached: its topic of live events, its chart, telling it something, and reading it anew. */
export type Road<Answer, Wish> = {
  topic: string;
  chartOf: ChartOf<Answer>;
  tell: (wish: Wish, key: string) => Promise<Answer | Schemas["Accepted"]>;
  read: () => Promise<Answer | null>;
};

/** One run on screen: what the server last said of it, and the one way to ask it for something. */
export function useRun<Answer extends RunAnswer, Wish>(first: Answer, road: Road<Answer, Wish>) {
  const { topic, chartOf, tell, read } = road;
  const [{ answer, drift }, take] = useReducer(
    (before: ReturnType<typeof held<Answer>>, next: Answer) => taken(before, next, chartOf),
    first,
    (answer) => held(answer, chartOf),
  );
  // the stream carries the same answer as the calls
  useEffect(() => live.follow(topic, (event) => take(event as unknown as Answer)), [topic]);
  useEffect(() => take(first), [first]);

  const sending = useMutation({
    mutationFn: ({ wish, key }: { wish: Wish; key: string }) => tell(wish, key),
    onSuccess: (told) => ("view" in told ? take(told) : undefined),
    // after a refusal the screen may be behind
    onError: async () => {
      const now = await read();
      if (now) take(now);
    },
  });
  const { mutate, variables } = sending;
  const ask = useCallback((wish: Wish) => mutate({ wish, key: newKey() }), [mutate]);
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
