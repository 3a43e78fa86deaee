import type { Chart } from "~/shared/flow/chart";
import { drifted, type FlowSnapshot, type Mirror, mirror } from "~/shared/flow/mirror";
import { purchaseV1 } from "./purchase_v1.chart";
import type { PurchaseAnswer } from "./types";

/** A walk has no plan: every state of it is on the way. */
const CHART: Chart = { ...purchaseV1, steps: [] };

/** The chart standing where the server stands; undefined for a state that it lacks. */
export function mirrored(answer: PurchaseAnswer): Mirror | undefined {
  return mirror(CHART, snapshotOf(answer));
}

/** Whether the run made a move that its chart does not know: this page is older than the server. */
export function hasDrifted(held: Mirror | undefined, next: PurchaseAnswer): boolean {
  if (!held) return true;
  return mirrored(next) === undefined || drifted(held, snapshotOf(next));
}

function snapshotOf({ rev, seq, state, allowed }: PurchaseAnswer): FlowSnapshot {
  return { rev, seq, state, allowed, plan: Object.keys(CHART.states) };
}
