import { expect, test } from "vitest";
import * as walk from "~/shared/flow/walk";
import { aPurchase } from "~/testing/a-purchase";
import { chartOf } from "./chart";
import type { PurchaseAnswer } from "./types";

const held = (state: string, rev: number) => walk.held(aPurchase(state, {}, { rev }), chartOf);
const taken = (before: walk.Held<PurchaseAnswer>, answer: PurchaseAnswer) =>
  walk.taken(before, answer, chartOf);

test("a newer snapshot is taken, an older one is not", () => {
  const before = held("quoted", 3);
  expect(taken(before, aPurchase("charging", {}, { rev: 4 })).answer.state).toBe("charging");
  expect(taken(before, aPurchase("quoting", {}, { rev: 2 }))).toBe(before);
});

test("a way that the chart has is no drift, one that it lacks is", () => {
  const before = held("quoted", 3);
  expect(taken(before, aPurchase("provisioning", {}, { rev: 5 })).drift).toBe(0);
  expect(taken(before, aPurchase("refunding", {}, { rev: 4 })).drift).toBe(1);
  expect(taken(before, aPurchase("teleported", {}, { rev: 4 })).drift).toBe(1);
});
