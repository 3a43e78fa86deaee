import type { Schemas } from "~/shared/api/client";

type PlanOfRun = Schemas["PlanOfRun"];

/** The plan of an activation that a colleague is paying. */
export function aPlanOfRun(more: Partial<PlanOfRun> = {}): PlanOfRun {
  return {
    purchase_id: "p1",
    state: "charging",
    ended: false,
    paid_by: "Olivia Marchand",
    plan_name: "Premium Prepaid",
    term: "1_year",
    total: 80.24,
    status: "waiting",
    has_receipt: false,
    ...more,
  };
}
