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

/** The chart's state that a run is in by its view; undefined where the chart does not hold it. */
export function chartStateOf({ version, state }: FirmwareView) {
  return chartNamed("firmware", version ?? 1)?.states[state];
}

/** Whether a run that is shown by another one offers this where it stands: its chart and what it told agree. */
export function isOffered(firmware: FirmwareView, command: FirmwareCommand["type"]): boolean {
  const event = FIRMWARE_EVENTS[command];
  const { allowed = [] } = firmware; // an answer that this browser kept may be older
  return event in (chartStateOf(firmware)?.on ?? {}) && allowed.includes(event);
}

/** The way of an update, in the steps that people know. */
export const FIRMWARE_STAGES: readonly NamedStage[] = [
  { label: msg`Check`, states: ["starting", "weak", "deferred", "retry_wait", "waiting_online"] },
  { label: msg`Download`, states: ["download_sent", "downloaded"] },
  { label: msg`Update`, states: ["update_sent", "verifying"] },
  { label: msg`Done`, states: ["verified", "done"] },
];
