import { expect, test } from "vitest";
import { aPurchase } from "~/testing/a-purchase";
import { mirrored } from "./chart";
import { taken } from "./use-purchase";

const held = (state: string, rev: number) => {
  const answer = aPurchase(state, {}, { rev });
  return { answer, mirror: mirrored(answer), drift: 0 };
};

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
