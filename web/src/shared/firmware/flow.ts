import { msg } from "@lingui/core/macro";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { NamedStage } from "~/shared/flow/map/flow-map";
import type { FirmwareAnswer, FirmwareCommand } from "./types";

/** What is asked of a run → the chart's event that it is. */
export const FIRMWARE_EVENTS = {
  RETRY: "RETRY_NOW",
  CANCEL: "CANCEL",
  DEFER: "DEFER",
  OVERRULE: "OVERRULE",
} satisfies Record<FirmwareCommand["type"], string>;

export const FIRMWARE: FlowKind<FirmwareAnswer, FirmwareCommand> = {
  chartOf: ({ version }) => chartNamed("firmware", version),
  planOf: () => [],
  eventOf: ({ type }) => FIRMWARE_EVENTS[type],
};

/** The way of an update, in the steps that people know. */
export const FIRMWARE_STAGES: readonly NamedStage[] = [
  { label: msg`Check`, states: ["starting", "weak", "deferred", "retry_wait", "waiting_online"] },
  { label: msg`Download`, states: ["download_sent", "downloaded"] },
  { label: msg`Update`, states: ["update_sent", "verifying"] },
  { label: msg`Done`, states: ["verified", "done"] },
];
