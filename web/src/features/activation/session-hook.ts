import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { type Action, perform } from "./calls";
import { ACTIVATION } from "./flow";
import { activationQuery } from "./queries";
import type { FlowAnswer } from "./types";

export type Run = Flow<FlowAnswer, Action>;

/** One activation on screen. What it becomes is kept for whoever opens it next. */
export function useActivation(first: FlowAnswer): Run {
  const cache = useQueryClient();
  const { id } = first;
  const run = useFlow(first, {
    topic: `activation:${id}`,
    kind: ACTIVATION,
    tell: perform,
    read: () => cache.fetchQuery({ ...activationQuery(id), staleTime: 0 }),
  });
  const { answer } = run;
  useEffect(() => {
    cache.setQueryData(activationQuery(answer.id).queryKey, answer);
  }, [answer, cache]);
  return run;
}

/** Whether the step is no person's at this moment: its form is off. */
export function isAtWork(run: Run): boolean {
  return run.is("busy") || run.is("waiting") || run.sent === "SUBMIT";
}
