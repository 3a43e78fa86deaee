import { createActor } from "xstate";
import { type Command, type FlowKind, flowActor } from "~/shared/flow/actor";
import { CHARTS } from "~/shared/flow/charts.gen";
import type { RunAnswer } from "~/shared/flow/position";
import { type Flow, flowOf } from "~/shared/flow/use-flow";

/** A run on screen as the server last told it: its chart decides what can be asked, and what is asked is only noted. */
export function aFlowOnScreen<Answer extends RunAnswer, Asked extends Command>(
  answer: Answer,
  kind: FlowKind<Answer, Asked>,
): { run: Flow<Answer, Asked>; asked: Asked[] } {
  const asked: Asked[] = [];
  // never started: it sends and follows nothing
  const actor = createActor(flowActor, { input: { answer, kind: kind as unknown as FlowKind } });
  const run = flowOf<Answer, Asked>(actor, actor.getSnapshot());
  return { run: { ...run, ask: (command) => asked.push(command) }, asked };
}

/** What a person may ask by these names in a state of the chart. */
export function allowedIn(chart: string, state: string, names: readonly string[]): string[] {
  return names.filter((name) => name in (CHARTS[chart]?.states[state]?.on ?? {}));
}
