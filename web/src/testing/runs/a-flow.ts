import type { Command, FlowKind } from "~/shared/flow/actor";
import type { Chart } from "~/shared/flow/chart";
import type { RunAnswer } from "~/shared/flow/position";

const READY = (step: string) =>
  ({ tags: [], meta: { step, label: step, turn: "person" } }) as const;

/** A chart of three steps, the second of which calls somebody. */
export const TOY = {
  id: "toy_v1",
  initial: "checking",
  goal: "completed",
  steps: ["one", "two", "three"],
  labels: { one: "One", two: "Two", three: "Three" },
  aliases: { TAP: ["ACT"], LOG: ["OK", "FAIL"], LOST: [] },
  states: {
    checking: {
      on: { OK: "ENTRY", FAIL: "refused" },
      tags: ["busy"],
      meta: { step: "checking", label: "Checking", turn: "portal" },
    },
    one: { on: { SUBMIT: "NEXT", BACK: "PREVIOUS", RESET: "FIRST" }, ...READY("one") },
    two: { on: { SUBMIT: "two/busy", BACK: "PREVIOUS", ACT: "two/busy" }, ...READY("two") },
    "two/busy": {
      on: { OK: "NEXT", FAIL: "two" },
      tags: ["busy"],
      meta: { step: "two", label: "two", turn: "portal" },
    },
    three: { on: { SUBMIT: "NEXT", BACK: "PREVIOUS" }, ...READY("three") },
    completed: { type: "final", tags: ["ended"], meta: { step: "completed", label: "Completed" } },
    refused: { type: "final", tags: ["ended"], meta: { step: "refused", label: "Refused" } },
    "choose-type": {
      type: "final",
      tags: ["ended"],
      meta: { step: "choose-type", label: "Choosing" },
    },
  },
} as const satisfies Chart;

export const TOY_PLAN = ["one", "two", "three"];

/** A chart without one edge, the toy's unless another is named: a page that is older than its server. */
export function without(state: string, event: string, chart: Chart = TOY): Chart {
  const { states } = chart;
  const found = states[state];
  if (!found?.on?.[event]) throw new Error(`${chart.id} has no ${event} in ${state}`);
  const left = Object.entries(found.on).filter(([name]) => name !== event);
  return { ...chart, states: { ...states, [state]: { ...found, on: Object.fromEntries(left) } } };
}

/** Commands of the toy are its events; a `NOTE` moves nothing. */
export function aKind(
  chart: Chart | undefined = TOY,
  plan: readonly string[] = TOY_PLAN,
): FlowKind {
  return {
    chartOf: () => chart,
    planOf: () => plan,
    eventOf: ({ type }: Command) => (type === "NOTE" ? undefined : type),
  };
}

/** The toy at `state`, and the event by which it came there. */
export function anAnswer(state: string, rev = 4, event?: string, more: Partial<RunAnswer> = {}) {
  const moved = event ? { rev, event, from_state: "", to_state: state } : null;
  const answer: RunAnswer = {
    kind: "firmware",
    id: "t1",
    version: 1,
    rev,
    seq: rev,
    state,
    allowed: [],
    ended: false,
    view: {},
    moved,
    ...more,
  };
  return answer;
}
