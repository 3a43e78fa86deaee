import { msg } from "@lingui/core/macro";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { NamedStage } from "~/shared/flow/flow-map";
import type { PlacementWish } from "./calls";
import type { PlacementAnswer } from "./types";

/** What a buyer asks → the chart's event that it is. */
export const PLACEMENT_EVENTS = {
  PAY: "CHOOSE_PAYMENT",
  CANCEL: "CANCEL",
} satisfies Record<PlacementWish["type"], string>;

export const PLACEMENT: FlowKind<PlacementAnswer, PlacementWish> = {
  chartOf: ({ version }) => chartNamed("placement", version),
  planOf: () => [],
  eventOf: ({ type }) => PLACEMENT_EVENTS[type],
};

/** The way of an order, in the steps that a buyer knows. */
export const PLACEMENT_STAGES: readonly NamedStage[] = [
  { label: msg`Check`, states: ["checking", "reserving"] },
  { label: msg`Payment`, states: ["authorising", "action_required", "payment_failed"] },
  { label: msg`Order`, states: ["recording", "handing_over", "capturing"] },
  { label: msg`Done`, states: ["confirmed"] },
];
