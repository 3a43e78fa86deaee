import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { Action } from "./calls";
import type { FlowAnswer } from "./types";

/** What a person may do → the chart's event that it is; none for what moves another run, or no run at all. */
export const ACTIVATION_EVENTS = {
  SUBMIT: "SUBMIT",
  ACT: "ACT",
  SET_PIN: "ACT",
  DELETE_PIN: "ACT",
  SET_FEATURE: "ACT",
  BUY_PLAN: "ACT",
  SKIP: "SKIP",
  BACK: "BACK",
  RESET: "RESET",
  CHANGE_DEVICE: "CHANGE_DEVICE",
  ABANDON: "ABANDON",
  HAND_OVER: undefined,
  FIRMWARE_RETRY: undefined,
  FIRMWARE_CANCEL: undefined,
  FIRMWARE_DEFER: undefined,
  FIRMWARE_OVERRULE: undefined,
} satisfies Record<Action["type"], string | undefined>;

export const ACTIVATION: FlowKind<FlowAnswer, Action> = {
  chartOf: ({ version }) => chartNamed("activation", version),
  planOf: ({ view }) => view.plan,
  eventOf: ({ type }) => ACTIVATION_EVENTS[type],
};
