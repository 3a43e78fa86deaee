import { answered, client } from "~/shared/api/client";
import type { FlowAnswer, StepData } from "./types";

/** What a person may do to a run; each becomes one call. `ACT` moves a device and is never sent twice by itself. */
export type Action =
  | { type: "SUBMIT"; data: StepData }
  | { type: "ACT"; command: string }
  | { type: "SKIP"; reason: string }
  | { type: "BACK" }
  | { type: "RESET" }
  | { type: "CHANGE_DEVICE"; device_key: string; iccid_last_digits?: string }
  | { type: "ABANDON"; reason: string }
  | { type: "HAND_OVER"; user_id: string }
  | { type: "FIRMWARE_RETRY" }
  | { type: "FIRMWARE_CANCEL" }
  | { type: "FIRMWARE_DEFER"; until: string };

export type Intent = { action: Action; id: string; step: string; seq: number; key: string };

/** The settled answer, or undefined when the server took it on and the live stream will tell. */
export async function perform(intent: Intent): Promise<FlowAnswer | undefined> {
  const answer = await answered(call(intent));
  return "view" in answer ? answer : undefined;
}

function call({ action, id, step, seq, key }: Intent) {
  const params = { path: { activation_id: id }, header: { "Idempotency-Key": key } };
  switch (action.type) {
    case "SUBMIT":
      return client.POST("/v1/activations/{activation_id}/submit", {
        params,
        body: { step, seq, data: action.data },
      });
    case "ACT":
      return client.POST("/v1/activations/{activation_id}/commands", {
        params,
        body: { seq, command: action.command },
      });
    case "SKIP":
      return client.POST("/v1/activations/{activation_id}/skip", {
        params,
        body: { step, seq, reason: action.reason },
      });
    case "BACK":
      return client.POST("/v1/activations/{activation_id}/back", { params, body: { step, seq } });
    case "RESET":
      return client.POST("/v1/activations/{activation_id}/reset", { params, body: { seq } });
    case "CHANGE_DEVICE":
      return client.POST("/v1/activations/{activation_id}/change-device", {
        params,
        body: { seq, device_key: action.device_key, iccid_last_digits: action.iccid_last_digits },
      });
    case "ABANDON":
      return client.POST("/v1/activations/{activation_id}/abandon", {
        params,
        body: { seq, reason: action.reason },
      });
    case "HAND_OVER":
      return client.POST("/v1/activations/{activation_id}/hand-over", {
        params,
        body: { seq, user_id: action.user_id },
      });
    case "FIRMWARE_RETRY":
      return client.POST("/v1/activations/{activation_id}/firmware/retry", { params, body: {} });
    case "FIRMWARE_CANCEL":
      return client.POST("/v1/activations/{activation_id}/firmware/cancel", { params, body: {} });
    case "FIRMWARE_DEFER":
      return client.POST("/v1/activations/{activation_id}/firmware/defer", {
        params,
        body: { until: action.until },
      });
  }
}
