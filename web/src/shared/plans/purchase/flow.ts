import { msg } from "@lingui/core/macro";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { NamedStage } from "~/shared/flow/map/flow-map";
import type { PurchaseCommand } from "../calls";
import type { PurchaseAnswer } from "../types";

export const PURCHASE: FlowKind<PurchaseAnswer, PurchaseCommand> = {
  chartOf: ({ version }) => chartNamed("purchase", version),
  planOf: () => [],
  eventOf: ({ type }) => type,
};

/** The way of a purchase, in the steps that a buyer knows. */
export const PURCHASE_STAGES: readonly NamedStage[] = [
  { label: msg`Price`, states: ["quoting", "quoted", "waiting_for_approval", "requoted"] },
  { label: msg`Payment`, states: ["charging", "action_required", "declined"] },
  { label: msg`Set-up`, states: ["provisioning", "part_failed", "refunding"] },
  { label: msg`Done`, states: ["confirmed"] },
];
