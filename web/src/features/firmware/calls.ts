import { answered, client, type Schemas } from "~/shared/api/client";
import type { FirmwareAnswer, FirmwareWish } from "~/shared/firmware/types";
import type { FirmwareRequest } from "./queries";

export type Told = FirmwareAnswer | Schemas["Accepted"];

/** One wish, one key: sent again, it is the same wish. */
export function tellRun(id: string, wish: FirmwareWish, key: string): Promise<Told> {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  switch (wish.type) {
    case "RETRY":
      return answered(client.POST("/v1/firmware/{id}/retry", { params, body: {} }));
    case "CANCEL":
      return answered(client.POST("/v1/firmware/{id}/cancel", { params, body: {} }));
    case "DEFER":
      return answered(
        client.POST("/v1/firmware/{id}/defer", { params, body: { until: wish.until } }),
      );
    case "OVERRULE":
      return answered(
        client.POST("/v1/firmware/{id}/overrule", { params, body: { reason: wish.reason } }),
      );
  }
}

/** A reason overrules weak readings; only an owner's is taken. */
export function startRun(
  { deviceKey, digits }: FirmwareRequest,
  reason: string | undefined,
  key: string,
): Promise<Told> {
  return answered(
    client.POST("/v1/firmware", {
      params: { header: { "Idempotency-Key": key } },
      body: { device_key: deviceKey, iccid_last_digits: digits, reason },
    }),
  );
}
