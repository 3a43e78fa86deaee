import type { Subscription } from "~/shared/plans/types";

/** The plan of a device that ends in a while. */
export function aSubscription(more: Partial<Subscription> = {}): Subscription {
  return {
    id: "subscription-1",
    device_key: "FT-X1-00000042",
    product_name: "X1",
    plan_id: "premium_prepaid-1_year",
    plan_slug: "premium_prepaid",
    plan_name: "Premium Prepaid",
    term: "1_year",
    starts_at: "2026-03-01T12:00:00Z",
    ends_at: "2027-03-01T12:00:00Z",
    state: "active",
    days_left: 180,
    is_highest: false,
    purchase_id: null,
    ...more,
  };
}
