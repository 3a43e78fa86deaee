import { firmwareV1 } from "~/shared/firmware/firmware_v1.chart";
import { firmwareV2 } from "~/shared/firmware/firmware_v2.chart";
import type { FirmwareAnswer } from "~/shared/firmware/types";
import type { Chart } from "~/shared/flow/chart";
import { drifted, type FlowSnapshot, type Mirror, mirror } from "~/shared/flow/mirror";

/** A walk has no plan: every state of it is on the way. */
const CHARTS: Record<number, Chart> = {
  1: { ...firmwareV1, steps: [] },
  2: { ...firmwareV2, steps: [] },
};

/** The chart of the run's version, standing where the server stands; undefined for a state that it lacks. */
export function mirrored(answer: FirmwareAnswer): Mirror | undefined {
  const chart = CHARTS[answer.view.version ?? 1];
  return chart && mirror(chart, snapshotOf(answer, chart));
}

/** Whether the run made a move that its chart does not know: this page is older than the server. */
export function hasDrifted(held: Mirror | undefined, next: FirmwareAnswer): boolean {
  const chart = CHARTS[next.view.version ?? 1];
  if (!held || !chart) return true;
  return mirrored(next) === undefined || drifted(held, snapshotOf(next, chart));
}

function snapshotOf({ rev, seq, state, allowed }: FirmwareAnswer, chart: Chart): FlowSnapshot {
  return { rev, seq, state, allowed, plan: Object.keys(chart.states) };
}
