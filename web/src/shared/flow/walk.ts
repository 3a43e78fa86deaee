import type { Chart } from "./chart";
import { drifted, type FlowSnapshot, type Mirror, mirror } from "./mirror";

/** A run of a walk, as every call on it and every live event answers it. */
export type RunAnswer = Omit<FlowSnapshot, "plan"> & { view: object };

/** The chart of the run's version. A walk has no plan: every state of it is on the way. */
export type ChartOf<Answer> = (answer: Answer) => Chart | undefined;

/** What a screen holds of a run; `drift` counts the moves that its chart lacks. */
export type Held<Answer> = { answer: Answer; mirror: Mirror | undefined; drift: number };

/** The chart standing where the server stands; undefined for a state that it lacks. */
export function mirrored<Answer extends RunAnswer>(
  answer: Answer,
  chartOf: ChartOf<Answer>,
): Mirror | undefined {
  const chart = chartOf(answer);
  return chart && mirror(chart, snapshotOf(answer, chart));
}

export function held<Answer extends RunAnswer>(
  answer: Answer,
  chartOf: ChartOf<Answer>,
): Held<Answer> {
  return { answer, mirror: mirrored(answer, chartOf), drift: 0 };
}

/** After a snapshot: an older one changes nothing, and a move that the chart lacks is counted. */
export function taken<Answer extends RunAnswer>(
  before: Held<Answer>,
  answer: Answer,
  chartOf: ChartOf<Answer>,
): Held<Answer> {
  if (answer.rev <= before.answer.rev) return before;
  const now = mirrored(answer, chartOf);
  const jumped = !before.mirror || !now || drifted(before.mirror, now.at) ? 1 : 0;
  return { answer, mirror: now, drift: before.drift + jumped };
}

function snapshotOf({ rev, seq, state, allowed }: RunAnswer, chart: Chart): FlowSnapshot {
  return { rev, seq, state, allowed, plan: Object.keys(chart.states) };
}
