import type { Handout } from "~/features/activation/handout/queries";

/** What the car's owner reads of an activation whose plan is live. */
export function aHandout(more: Partial<Handout> = {}): Handout {
  return {
    business: "Harbour Car Audio",
    completed_at: "2026-11-21T12:00:00Z",
    vehicle: null,
    device_key: "FT-X1-00000042",
    product_name: "ft-x1",
    versions: [],
    connected: true,
    tests: [],
    plan: {
      name: "Basic Prepaid",
      term: "1_year",
      ends_at: "2027-11-21T12:00:00Z",
      is_suspended: false,
    },
    has_plan: true,
    can_do: [],
    ...more,
  };
}
