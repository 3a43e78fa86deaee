import { msg } from "@lingui/core/macro";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { NamedStage } from "~/shared/flow/map/flow-map";
import type { FirmwareAnswer, FirmwareCommand, FirmwareView } from "./types";

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

/** What a run told that it allows, where another one shows it. */
const TOLD = {
  RETRY: "can_retry",
  CANCEL: "can_cancel",
  DEFER: "can_defer",
  OVERRULE: "can_overrule",
} as const satisfies Record<FirmwareCommand["type"], keyof FirmwareView>;

/** The chart's state that a run is in by its view; undefined where the chart does not hold it. */
export function chartStateOf({ version, state }: FirmwareView) {
  return chartNamed("firmware", version ?? 1)?.states[state];
}

/** Whether a run that is shown by another one offers this where it stands: its chart and what it told agree. */
export function isOffered(firmware: FirmwareView, command: FirmwareCommand["type"]): boolean {
  const edges = chartStateOf(firmware)?.on ?? {};
  return FIRMWARE_EVENTS[command] in edges && firmware[TOLD[command]];
}

/** The way of an update, in the steps that people know. */
export const FIRMWARE_STAGES: readonly NamedStage[] = [
  { label: msg`Check`, states: ["starting", "weak", "deferred", "retry_wait", "waiting_online"] },
  { label: msg`Download`, states: ["download_sent", "downloaded"] },
  { label: msg`Update`, states: ["update_sent", "verifying"] },
  { label: msg`Done`, states: ["verified", "done"] },
];
