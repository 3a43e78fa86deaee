import { expect, test } from "vitest";
import type { Subscription } from "~/shared/plans/types";
import { aPlan } from "~/testing/shop/a-plan";
import { endsInCommon, renewals } from "./one-end";

const NOW = Date.parse("2026-11-26T12:00:00Z");
const ending = (ends_at: string) => ({ ends_at });

test("the days in common begin thirty days after the last end and close with the first whole term", () => {
  const chosen = [ending("2027-01-10T08:00:00Z"), ending("2027-05-31T08:00:00Z")];
  expect(endsInCommon(chosen, 12, NOW)).toEqual({ first: "2027-07-01", last: "2028-01-10" });
});

test("what has ended begins now, and a month has the days that it has", () => {
  expect(endsInCommon([ending("2025-01-01T00:00:00Z")], 12, NOW)?.last).toBe("2027-11-26");
  const leap = [ending("2027-02-28T08:00:00Z"), ending("2028-01-31T08:00:00Z")];
  expect(endsInCommon(leap, 24, NOW)).toEqual({ first: "2028-03-02", last: "2029-02-28" });
});

test("ends that lie too far apart have no day in common for a short term", () => {
  const chosen = [ending("2026-12-01T08:00:00Z"), ending("2028-06-01T08:00:00Z")];
  expect(endsInCommon(chosen, 12, NOW)).toBeUndefined();
  expect(endsInCommon(chosen, 24, NOW)).toEqual({ first: "2028-07-02", last: "2028-12-01" });
});

test("each device is renewed with its own plan, for the term and to the day", () => {
  const one = { device_key: "FT-1", plan_slug: "premium_prepaid" } as Subscription;
  const gone = { device_key: "FT-2", plan_slug: "sold-no-more" } as Subscription;
  expect(renewals([one, gone], [aPlan()], 12, "2027-11-01")).toEqual([
    { device_key: "FT-1", plan_id: "premium_prepaid-1_year", ends_on: "2027-11-01" },
  ]);
});
