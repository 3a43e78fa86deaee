import { pastLimits } from "~/shared/api/bot-check/past-limits";
import { answered, client, type Schemas } from "~/shared/api/client";
import type { Payer } from "~/shared/plans/types";
import {
  asActivation,
  type Feature,
  type FlowAnswer,
  type PinSlot,
  type StepData,
  type StepName,
} from "./types";
import type { PinDuration } from "./words";

/** What a person may do to a run; each becomes one call. `ACT` moves a device and is never sent twice by itself. */
export type Action =
  | { type: "SUBMIT"; data: StepData }
  | { type: "ACT"; command: string; bit?: number }
  | { type: "SET_PIN"; slot: PinSlot; pin?: string; duration: PinDuration }
  | { type: "DELETE_PIN"; master_pin: string }
  | { type: "SET_FEATURE"; feature: Feature; enabled: boolean }
  | { type: "BUY_PLAN"; plan_id: string; quote_uuid: string; payer: Payer; reason: string }
  | { type: "SKIP"; reason: string; step?: StepName }
  | { type: "BACK" }
  | { type: "RESET" }
  | { type: "CHANGE_DEVICE"; device_key: string; iccid_last_digits?: string }
  | { type: "ABANDON"; reason: string }
  | { type: "HAND_OVER"; user_id: string; note: string; only_to_pay: boolean }
  | { type: "FIRMWARE_RETRY" }
  | { type: "FIRMWARE_CANCEL" }
  | { type: "FIRMWARE_DEFER"; until: string }
  | { type: "FIRMWARE_OVERRULE"; runId: string; reason: string };

/** Where the run stood when it was asked. */
export type At = Pick<FlowAnswer, "id" | "seq"> & { view: Pick<FlowAnswer["view"], "step"> };

type Answer = Schemas["ActivationAnswer" | "FirmwareAnswer" | "Accepted"];

/** One action, one key: sent again, it is the same one. Undefined when it was the firmware run that was asked. */
export async function perform(
  action: Action,
  key: string,
  at: At,
): Promise<FlowAnswer | Schemas["Accepted"] | undefined> {
  const send = (headers: Headers) => answered<Answer>(call(action, key, at, headers));
  const answer = isProof(action) ? await pastLimits(send) : await send({});
  return "view" in answer ? asActivation(answer) : answer;
}

/** Whether it says the digits that a guest proves possession by. */
function isProof(action: Action): boolean {
  const typed = action.type === "SUBMIT" ? action.data : action;
  return "iccid_last_digits" in typed && typed.iccid_last_digits !== undefined;
}

type Headers = Record<string, string>;

function call(action: Action, key: string, { id, seq, view }: At, headers: Headers) {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  const step = view.step as StepName; // the server refuses a step that is none
  switch (action.type) {
    case "SUBMIT":
      return client.POST("/v1/activations/{id}/submit", {
        params,
        body: { step, seq, data: action.data },
        headers,
      });
    case "ACT":
      return client.POST("/v1/activations/{id}/commands", {
        params,
        body: { seq, command: action.command, bit: action.bit },
      });
    case "SET_PIN":
      return client.POST("/v1/activations/{id}/pins", {
        params,
        body: { seq, slot: action.slot, pin: action.pin, duration: action.duration },
      });
    case "DELETE_PIN":
      return client.POST("/v1/activations/{id}/pins/delete", {
        params,
        body: { seq, master_pin: action.master_pin },
      });
    case "SET_FEATURE":
      return client.POST("/v1/activations/{id}/features", {
        params,
        body: { seq, feature: action.feature, enabled: action.enabled },
      });
    case "BUY_PLAN":
      return client.POST("/v1/activations/{id}/purchase", {
        params,
        body: {
          seq,
          plan_id: action.plan_id,
          quote_uuid: action.quote_uuid,
          reason: action.reason,
          ...action.payer,
        },
      });
    case "SKIP":
      return client.POST("/v1/activations/{id}/skip", {
        params,
        body: { step: action.step ?? step, seq, reason: action.reason },
      });
    case "BACK":
      return client.POST("/v1/activations/{id}/back", { params, body: { step, seq } });
    case "RESET":
      return client.POST("/v1/activations/{id}/reset", { params, body: { seq } });
    case "CHANGE_DEVICE":
      return client.POST("/v1/activations/{id}/change-device", {
        params,
        body: { seq, device_key: action.device_key, iccid_last_digits: action.iccid_last_digits },
        headers,
      });
    case "ABANDON":
      return client.POST("/v1/activations/{id}/abandon", {
        params,
        body: { seq, reason: action.reason },
      });
    case "HAND_OVER":
      return client.POST("/v1/activations/{id}/hand-over", {
        params,
        body: {
          seq,
          user_id: action.user_id,
          note: action.note,
          only_to_pay: action.only_to_pay,
        },
      });
    case "FIRMWARE_RETRY":
      return client.POST("/v1/activations/{id}/firmware/retry", { params, body: {} });
    case "FIRMWARE_CANCEL":
      return client.POST("/v1/activations/{id}/firmware/cancel", { params, body: {} });
    case "FIRMWARE_DEFER":
      return client.POST("/v1/activations/{id}/firmware/defer", {
        params,
        body: { until: action.until },
      });
    case "FIRMWARE_OVERRULE":
      return client.POST("/v1/firmware/{id}/overrule", {
        params: { ...params, path: { id: action.runId } },
        body: { reason: action.reason },
      });
  }
}
