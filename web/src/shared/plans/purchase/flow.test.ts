import { expect, test } from "vitest";
import { CHARTS } from "~/shared/flow/charts.gen";
import { PURCHASE_STAGES } from "./flow";

test("each state of the way is in one stage", () => {
  const named = PURCHASE_STAGES.flatMap(({ states }) => states);
  const ends = ["expired", "cancelled", "rejected", "needs_attention"];
  expect([...named, ...ends].sort()).toEqual(Object.keys(CHARTS.purchase_v3?.states ?? {}).sort());
});
