import type { PlanGroup, Subscription } from "~/shared/plans/types";

/** A plan with two terms. */
export function aPlan(more: Partial<PlanGroup> = {}): PlanGroup {
  const slug = more.slug ?? "premium_prepaid";
  return {
    slug,
    name: "Premium Prepaid",
    display_name: "Premium",
    description: "Basic Plan + GPS Tracking",
    image: `/pictures/plans/${slug}.svg`,
    image_description: "A car with a pin on a map",
    popular: true,
    rank: 2,
    terms: [
      {
        id: `${slug}-month_to_month`,
        term: "month_to_month",
        months: 1,
        list_amount: 9.99,
        amount: 7.49,
      },
      { id: `${slug}-1_year`, term: "1_year", months: 12, list_amount: 101.9, amount: 76.42 },
    ],
    ...more,
  };
}

/** The plan of a device, which ends in 19 days. */
export function aSubscription(more: Partial<Subscription> = {}): Subscription {
  return {
    id: "s1",
    device_key: "FT-X1-20000302",
    product_name: "ft-x1",
    plan_id: "premium_prepaid-1_year",
    plan_slug: "premium_prepaid",
    plan_name: "Premium Prepaid",
    term: "1_year",
    starts_at: "2025-12-11T00:00:00Z",
    ends_at: "2026-12-11T00:00:00Z",
    state: "ending",
    days_left: 19,
    purchase_id: null,
    ...more,
  };
}
