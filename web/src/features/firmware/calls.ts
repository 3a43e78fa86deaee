import { answered, client, type Schemas } from "~/shared/api/client";
import type { FirmwareAnswer, FirmwareCommand } from "~/shared/firmware/types";
import type { FirmwareRequest } from "./queries";

export type CommandAnswer = FirmwareAnswer | Schemas["Accepted"];

/** One command, one key: sent again, it is the same command. */
export function sendFirmwareCommand(
  id: string,
  command: FirmwareCommand,
  key: string,
): Promise<CommandAnswer> {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  switch (command.type) {
    case "RETRY":
      return answered(client.POST("/v1/firmware/{id}/retry", { params, body: {} }));
    case "CANCEL":
      return answered(client.POST("/v1/firmware/{id}/cancel", { params, body: {} }));
    case "DEFER":
      return answered(
        client.POST("/v1/firmware/{id}/defer", { params, body: { until: command.until } }),
      );
    case "OVERRULE":
      return answered(
        client.POST("/v1/firmware/{id}/overrule", { params, body: { reason: command.reason } }),
      );
  }
}

/** A reason overrules weak readings; only an owner's is taken. */
export function startRun(
  { deviceKey, digits }: FirmwareRequest,
  reason: string | undefined,
  key: string,
): Promise<CommandAnswer> {
  return answered(
    client.POST("/v1/firmware", {
      params: { header: { "Idempotency-Key": key } },
      body: { device_key: deviceKey, iccid_last_digits: digits, reason },
    }),
  );
}
