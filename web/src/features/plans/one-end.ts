import type { PlanRequest } from "~/shared/plans/calls";
import type { Offer, Subscription } from "~/shared/plans/types";

const DAY = 24 * 60 * 60 * 1000;
const SHORTEST_DAYS = 30; // as in domain/plans/plans.py

/** A day as an address and a form have it. */
function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** Days on which all of these can end when each is renewed for so many months; the last one is the usual choice. */
export function endsInCommon(
  chosen: readonly Pick<Subscription, "ends_at">[],
  months: number,
  now: number,
): { first: string; last: string } | undefined {
  const begins = chosen.map(({ ends_at }) => Math.max(Date.parse(ends_at), now));
  const first = dayOf(Math.max(...begins) + (SHORTEST_DAYS + 1) * DAY);
  const last = dayOf(monthsAfter(Math.min(...begins), months));
  return first <= last ? { first, last } : undefined;
}

/** Each device with its own plan again, cut to end on this day; none for a plan that is not sold for the term. */
export function renewals(
  chosen: readonly Subscription[],
  offers: readonly Offer[],
  months: number,
  endsOn: string | undefined,
): PlanRequest[] {
  return chosen.flatMap(({ device_key, plan_slug }) => {
    const terms = offers.find(({ slug }) => slug === plan_slug)?.terms ?? [];
    const term = terms.find((one) => one.months === months);
    return term ? [{ device_key, plan_id: term.id, ends_on: endsOn }] : [];
  });
}

function monthsAfter(moment: number, months: number): number {
  const at = new Date(moment);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return at.setUTCDate(Math.min(day, last));
}
