import { expect, test } from "vitest";
import * as walk from "~/shared/flow/walk";
import { aPlacement } from "~/testing/a-placement";
import { chartOf } from "./chart";
import { placementV1 } from "~/shared/flow/charts/placement_v1.chart";
import type { PlacementAnswer } from "./types";
import { STEPS } from "./words";

const held = (answer = aPlacement()) => walk.held(answer, chartOf);
const taken = (before: walk.Held<PlacementAnswer>, answer: PlacementAnswer) =>
  walk.taken(before, answer, chartOf);

test("an older answer changes nothing", () => {
  const before = held(aPlacement({ rev: 5, state: "recording" }));
  expect(taken(before, aPlacement({ rev: 4, state: "authorising" }))).toBe(before);
});

test("a decline and another method are moves that the chart knows", () => {
  const declined = taken(held(), aPlacement({ rev: 4, state: "payment_failed" }));
  const again = taken(declined, aPlacement({ rev: 5, state: "checking" }));
  expect([declined.drift, again.drift]).toEqual([0, 0]);
  expect(again.answer.state).toBe("checking");
});

test("a move that the chart lacks is counted", () => {
  const odd = aPlacement({ rev: 4, state: "handing_over" });
  expect(taken(held(), odd).drift).toBe(1);
});

test("each state of the way is in one step", () => {
  const named = STEPS.flatMap(({ states }) => states);
  expect(new Set(named).size).toBe(named.length);
  const ends = ["expired", "cancelled", "compensating", "compensated", "needs_attention"];
  expect([...named, ...ends].sort()).toEqual(Object.keys(placementV1.states).sort());
});
