import { msg } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { tell } from "~/shared/alerts/alerts";
import { newKey } from "~/shared/api/idempotency";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { type Action, perform } from "./calls";
import { ACTIVATION } from "./flow";
import { activationQuery } from "./queries";
import type { FlowAnswer } from "./types";
import { adopt, endRun, keep, mayBeKept, reachOf } from "./waiting/outbox";

export type Run = Flow<FlowAnswer, Action>;

/** A guest reads what is lost: it does not come back with the run. */
const GONE = msg`This activation has ended: what was entered here without a signal was not sent, and is gone.`;

/** One activation on screen. What it becomes is kept for whoever opens it next. */
export function useActivation(first: FlowAnswer): Run {
  const cache = useQueryClient();
  const { id } = first;
  const run = useFlow<FlowAnswer, Action>(first, {
    topic: `activation:${id}`,
    kind: ACTIVATION,
    send: perform,
    read: () => cache.fetchQuery({ ...activationQuery(id), staleTime: 0 }),
  });
  const { answer } = run;
  useEffect(() => {
    const { queryKey } = activationQuery(answer.id);
    // What is held already keeps its age.
    if (cache.getQueryData(queryKey) !== answer) cache.setQueryData(queryKey, answer);
  }, [answer, cache]);
  useEffect(() => adopt(id), [id]);
  const isOver = run.is("ended");
  useEffect(() => {
    if (isOver && endRun(id)) tell({ content: GONE, type: "info", autoDismiss: false });
  }, [isOver, id]);
  const online = useOnline();
  return online ? run : { ...run, ask: (command) => keepOrAsk(run, command) };
}

/** Without a signal what may wait is kept; what may not, or finds no room, is tried, and says that it failed. */
function keepOrAsk(run: Run, action: Action): void {
  if (!isKept(run, action)) run.ask(action);
}

function isKept(run: Run, action: Action): boolean {
  const reach = reachOf(run, action.type);
  if (!reach || !mayBeKept(action)) return false;
  const { id, seq, view } = run.answer;
  return keep({
    key: newKey(),
    at: { id, seq, view: { step: view.step } },
    device: view.device.device_key,
    action,
    reach,
    kept: new Date().toISOString(),
  });
}

/** Whether the step is no person's at this moment: its form is off. */
export function isAtWork(run: Run): boolean {
  return run.is("busy") || run.is("waiting") || run.sent === "SUBMIT";
}
