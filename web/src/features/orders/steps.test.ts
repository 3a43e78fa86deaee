import { expect, test } from "vitest";
import type { Order } from "./queries";
import { stepsOf } from "./steps";

const happened = (...kinds: Order["history"][number]["kind"][]): Order["history"] =>
  kinds.map((kind, place) => ({ kind, at: `2026-11-0${place + 1}T12:00:00Z`, note: null }));
const states = (order: Pick<Order, "status" | "history">) =>
  stepsOf(order).map(({ state }) => state);

test.each([
  ["placed", happened("placed"), ["done", "present", "ahead", "ahead", "ahead"]],
  [
    "confirmed",
    happened("placed", "handed_over", "accepted"),
    ["done", "done", "done", "present", "ahead"],
  ],
  [
    "part_shipped",
    happened("placed", "handed_over", "accepted", "shipped"),
    ["done", "done", "done", "present", "ahead"],
  ],
  ["invoiced", happened("placed", "invoiced"), ["done", "done", "done", "done", "done"]],
  ["cancelled", happened("placed", "cancelled"), ["done", "ahead", "ahead", "ahead", "ahead"]],
] as const)("an order that is %s stands at its step", (status, history, expected) => {
  expect(states({ status, history: [...history] })).toEqual(expected);
});

test("an invoice of the first shipment is no invoice of all", () => {
  const [, , , , invoiced] = stepsOf({
    status: "part_shipped",
    history: happened("placed", "handed_over", "accepted", "shipped", "invoiced"),
  });
  expect(invoiced).toEqual({ step: "invoiced", state: "ahead", at: undefined });
});

test("a step tells when it was reached first", () => {
  const [, , , shipped] = stepsOf({
    status: "shipped",
    history: happened("placed", "handed_over", "accepted", "shipped", "shipped"),
  });
  expect(shipped).toEqual({ step: "shipped", state: "done", at: "2026-11-04T12:00:00Z" });
});
