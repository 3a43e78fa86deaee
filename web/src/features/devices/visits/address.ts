import type { VisitState } from "./queries";

export const STATES = [
  "waiting",
  "permitted",
  "refused",
  "lapsed",
  "ended",
] as const satisfies readonly VisitState[];
