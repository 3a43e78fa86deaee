import type { Chart } from "~/shared/flow/chart";
import { drifted, type FlowSnapshot, type Mirror, mirror } from "~/shared/flow/mirror";
import { placementV1 } from "./placement_v1.chart";
import type { PlacementAnswer } from "./types";

/** A walk has no plan: every state of it is on the way. */
const CHART: Chart = { ...placementV1, steps: [] };

/** The chart standing where the server stands; undefined for a state that it lacks. */
export function mirrored(answer: PlacementAnswer): Mirror | undefined {
  return mirror(CHART, snapshotOf(answer));
}

/** Whether the run made a move that its chart does not know: this page is older than the server. */
export function hasDrifted(held: Mirror | undefined, next: PlacementAnswer): boolean {
  if (!held) return true;
  return mirrored(next) === undefined || drifted(held, snapshotOf(next));
}

function snapshotOf({ rev, seq, state, allowed }: PlacementAnswer): FlowSnapshot {
  return { rev, seq, state, allowed, plan: Object.keys(CHART.states) };
}
