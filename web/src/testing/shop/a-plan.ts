import type { PlanGroup } from "~/shared/plans/types";

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
