import { firmwareV1 } from "~/shared/flow/charts/firmware_v1.chart";
import { firmwareV2 } from "~/shared/flow/charts/firmware_v2.chart";
import type { FirmwareAnswer } from "~/shared/firmware/types";
import type { Chart } from "~/shared/flow/chart";

const CHARTS: Record<number, Chart> = {
  1: { ...firmwareV1, steps: [] },
  2: { ...firmwareV2, steps: [] },
};

/** The chart of the run's version. */
export function chartOf(answer: FirmwareAnswer): Chart | undefined {
  return CHARTS[answer.view.version ?? 1];
}
