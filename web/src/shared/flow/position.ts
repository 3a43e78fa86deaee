import { type SnapshotFrom, setup, transition } from "xstate";
import type { Schemas } from "~/shared/api/client";
import { type Chart, chartFor, type Narrowed, type StateMeta, type Tag } from "./chart";

/** The last change of a run's state, as its record has it. */
type LastTransition = { rev: number; event: string; from_state: string; to_state: string };

/** A run as every call on it and every live event answers it. `moved` may be older than `rev`: not every change moves. */
export type RunAnswer = {
  kind: Schemas["Drift"]["kind"];
  id: string;
  version: number;
  rev: number;
  seq: number;
  state: string;
  allowed: readonly string[];
  ended: boolean;
  view: object;
  moved?: LastTransition | null;
};

type Machine = ReturnType<typeof machineOf>;
export type ChartSnapshot = SnapshotFrom<Machine>;

/** The chart of one plan, standing where the server said that the run stands at `rev`. */
export type Position = {
  chart: Chart;
  plan: readonly string[];
  narrowed: Narrowed;
  machine: Machine;
  snapshot: ChartSnapshot;
  rev: number;
};

/** Why this page is older than the run: a state, a way, or something to ask for, that its chart does not hold. */
export type Drift = { what: "state" | "edge" | "allowed"; name: string; rev: number };

export type Followed = { position: Position | undefined; drift: Drift | undefined };

function machineOf(narrowed: Narrowed) {
  return setup({
    types: {
      events: {} as { type: string },
      tags: {} as Tag,
      meta: {} as StateMeta,
    },
  }).createMachine(narrowed);
}

/** The chart begun anew from what the server says; undefined where the chart does not hold the state. */
export function begin(
  chart: Chart | undefined,
  plan: readonly string[],
  answer: RunAnswer,
): Position | undefined {
  if (!chart) return undefined;
  const narrowed = chartFor(chart, plan);
  if (!(answer.state in narrowed.states)) return undefined;
  const machine = machineOf(narrowed);
  const snapshot = machine.resolveState({ value: answer.state, context: {} });
  return { chart, plan, narrowed, machine, snapshot, rev: answer.rev };
}

/**
 * Where the chart stands after the server's answer. The event of the next `rev` is sent under its own name, and the chart
 * must come to the server's state. After a gap, in another plan or after an end it is begun anew, which is no drift.
 */
export function follow(
  held: Position | undefined,
  chart: Chart | undefined,
  plan: readonly string[],
  answer: RunAnswer,
): Followed {
  const anew = begin(chart, plan, answer);
  if (!chart || !anew) return { position: anew, drift: driftOf("state", answer.state, answer) };
  const followed = held && goesOn(held, anew) ? moved(held, anew, answer) : begun(anew);
  return followed.drift ? followed : { ...followed, drift: unknownAllowed(anew, answer) };
}

/** The snapshot after one event; the same one where the chart has no such edge. */
export function after({ machine, snapshot }: Position, event: string): ChartSnapshot {
  return snapshot.can({ type: event })
    ? transition(machine, snapshot, { type: event })[0]
    : snapshot;
}

export function metaOf(snapshot: ChartSnapshot): StateMeta | undefined {
  return Object.values(snapshot.getMeta())[0];
}

/** Whether the chart can go on from where it stands: in the same plan, from a state whose ways do not depend on the past. */
function goesOn(held: Position, anew: Position): boolean {
  return (
    held.chart === anew.chart &&
    held.plan.join() === anew.plan.join() &&
    held.snapshot.status !== "done" &&
    !isOutsideThePlan(held)
  );
}

function begun(position: Position): Followed {
  return { position, drift: undefined };
}

/** Before and between the steps a run goes on where it had been: its chart cannot know where that was. */
function isOutsideThePlan({ chart, plan, snapshot }: Position): boolean {
  const step = metaOf(snapshot)?.step;
  return chart.steps.length > 0 && (step === undefined || !plan.includes(step));
}

function moved(held: Position, anew: Position, answer: RunAnswer): Followed {
  const stays = held.snapshot.value === answer.state;
  if (stays && held.rev === answer.rev) return begun(held);
  if (answer.rev !== held.rev + 1) return begun(anew);
  const known = answer.moved?.rev === answer.rev ? answer.moved : undefined;
  const names = known ? (held.chart.aliases[known.event] ?? [known.event]) : eventsOf(held);
  if (names.length === 0) return begun(anew);
  for (const name of names) {
    const snapshot = after(held, name);
    if (snapshot !== held.snapshot && snapshot.value === answer.state)
      return begun({ ...held, snapshot, rev: answer.rev });
  }
  if (stays) return begun({ ...held, rev: answer.rev });
  return { position: anew, drift: driftOf("edge", known?.event ?? answer.state, answer) };
}

/** The events that lead on from where the chart stands. */
function eventsOf({ narrowed, snapshot }: Position): string[] {
  return Object.keys(narrowed.states[String(snapshot.value)]?.on ?? {});
}

/** What the server allows is an edge of every chart that is not older than it. */
function unknownAllowed({ snapshot }: Position, answer: RunAnswer): Drift | undefined {
  const name = answer.allowed.find((event) => !snapshot.can({ type: event }));
  return name === undefined ? undefined : driftOf("allowed", name, answer);
}

function driftOf(what: Drift["what"], name: string, { rev }: RunAnswer): Drift {
  return { what, name, rev };
}
