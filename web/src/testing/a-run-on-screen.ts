import type { Action } from "~/features/activation/calls";
import type { Run } from "~/features/activation/session-hook";
import type { FlowAnswer } from "~/features/activation/types";

/** An activation on screen as the server last told it, and what was asked of it. */
export function aRunOnScreen(answer: FlowAnswer): { run: Run; asked: Action[] } {
  const asked: Action[] = [];
  const run: Run = {
    answer,
    problem: undefined,
    drift: 0,
    sending: undefined,
    act: (action) => asked.push(action),
    again: undefined,
    dismiss: () => undefined,
  };
  return { run, asked };
}
