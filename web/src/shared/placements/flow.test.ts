import { expect, test } from "vitest";
import { CHARTS } from "~/shared/flow/charts.gen";
import { PLACEMENT_EVENTS, PLACEMENT_STAGES } from "./flow";

const states = CHARTS.placement_v4?.states ?? {};

test("each state of the way is in one stage", () => {
  const named = PLACEMENT_STAGES.flatMap(({ states }) => states);
  const ends = [
    "expired",
    "cancelled",
    "rejected",
    "compensating",
    "compensated",
    "needs_attention",
  ];
  expect([...named, ...ends].sort()).toEqual(Object.keys(states).sort());
});

test("whatever a buyer asks is an event of the chart", () => {
  const known = Object.values(states).flatMap(({ on }) => Object.keys(on ?? {}));
  for (const event of Object.values(PLACEMENT_EVENTS)) expect(known).toContain(event);
});
