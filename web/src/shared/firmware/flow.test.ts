import { expect, test } from "vitest";
import { CHARTS } from "~/shared/flow/charts.gen";
import { FIRMWARE_EVENTS, FIRMWARE_STAGES } from "./flow";

const { firmware_v2: CHART } = CHARTS;

test("each state of the way is in one stage", () => {
  const named = FIRMWARE_STAGES.flatMap(({ states }) => states);
  const ends = ["failed", "failed_for_good", "cancelled"];
  expect([...named, ...ends].sort()).toEqual(Object.keys(CHART?.states ?? {}).sort());
});

test("whatever is asked of a run is an event of its chart", () => {
  const known = Object.values(CHART?.states ?? {}).flatMap(({ on }) => Object.keys(on ?? {}));
  for (const event of Object.values(FIRMWARE_EVENTS)) expect(known).toContain(event);
});
