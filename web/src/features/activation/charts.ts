import type { Chart } from "~/shared/flow/chart";
import { activationV1 } from "~/shared/flow/charts/activation_v1.chart";
import { activationV2 } from "~/shared/flow/charts/activation_v2.chart";

/** Version of the flow → its chart. A run ends on the version it began with. */
export const CHARTS: Record<number, Chart> = { 1: activationV1, 2: activationV2 };
