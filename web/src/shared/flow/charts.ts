import type { Chart } from "./chart";
import { CHARTS } from "./charts.gen";

/** The chart of a run, which ends on the version it began with; undefined for one that is newer than this page. */
export function chartNamed(kind: string, version: number): Chart | undefined {
  return CHARTS[`${kind}_v${version}`];
}
