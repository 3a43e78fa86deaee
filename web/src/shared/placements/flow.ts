import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { NamedStage } from "~/shared/flow/map/flow-map";
import type { PaymentChoice } from "~/shared/payments/types";

/** What a buyer, or an owner who approves, may ask of a placement. */
export type PlacementCommand =
  | { type: "PAY"; payment: PaymentChoice }
  | { type: "CANCEL" }
  | { type: "AGREE"; quote_hash: string }
  | { type: "APPROVE"; note: string }
  | { type: "REJECT"; note: string };

/** What is asked → the chart's event that it is. */
export const PLACEMENT_EVENTS = {
  PAY: "CHOOSE_PAYMENT",
  CANCEL: "CANCEL",
  AGREE: "AGREE",
  APPROVE: "APPROVE",
  REJECT: "REJECT",
} satisfies Record<PlacementCommand["type"], string>;

export const PLACEMENT: FlowKind<Schemas["PlacementAnswer"], PlacementCommand> = {
  chartOf: ({ version }) => chartNamed("placement", version),
  planOf: () => [],
  eventOf: ({ type }) => PLACEMENT_EVENTS[type],
};

/** The way of an order, in the steps that a buyer knows. */
export const PLACEMENT_STAGES: readonly NamedStage[] = [
  { label: msg`Check`, states: ["checking", "waiting_for_approval", "requoted", "reserving"] },
  { label: msg`Payment`, states: ["authorising", "action_required", "payment_failed"] },
  { label: msg`Order`, states: ["recording", "handing_over", "capturing"] },
  { label: msg`Done`, states: ["confirmed"] },
];
