import { type AnyMachineSnapshot, createMachine } from "xstate";
import { type Chart, chartFor, type Narrowed, stepOf } from "./chart";

/** What the server says of a flow; only such a snapshot ever moves the chart. */
export type FlowSnapshot = {
  rev: number;
  seq: number;
  state: string;
  allowed: readonly string[];
  plan: readonly string[];
};

export type Mirror = { narrowed: Narrowed; snapshot: AnyMachineSnapshot; at: FlowSnapshot };

/** The chart of the snapshot's plan, standing where the server stands. A state unknown to the chart is drift. */
export function mirror(chart: Chart, at: FlowSnapshot): Mirror | undefined {
  const narrowed = chartFor(chart, at.plan);
  if (!(at.state in narrowed.states)) return undefined;
  const machine = createMachine(narrowed);
  return { narrowed, snapshot: machine.resolveState({ value: at.state }), at };
}

/**
 * Whether the chart has no way from the held state to the next one in as many moves as revisions passed.
 * A longer gap than ten, an older revision or another plan proves nothing, and is no drift.
 */
export function drifted(held: Mirror, next: FlowSnapshot): boolean {
  const moves = next.rev - held.at.rev;
  if (moves < 1 || moves > 10 || next.state === held.at.state) return false;
  if (held.at.plan.join() !== next.plan.join()) return false;
  if (!held.at.plan.includes(stepOf(held.at.state))) return false; // where it enters the plan depends on its past
  let reach = new Set([held.at.state]);
  for (let move = 0; move < moves; move += 1) {
    const further = new Set(reach);
    for (const state of reach)
      for (const target of Object.values(held.narrowed.states[state]?.on ?? {}))
        further.add(target);
    if (further.has(next.state)) return false;
    reach = further;
  }
  return true;
}
