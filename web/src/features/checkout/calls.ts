import { answered, client, type Schemas } from "~/shared/api/client";
import type { PlacementCommand } from "~/shared/placements/flow";
import type { PlacementAnswer } from "./types";

export type CommandAnswer = PlacementAnswer | Schemas["Accepted"];

/** Places the order that was quoted. One intent, one key: sent again, it is the same order. */
export function placeOrder(token: string, body: Schemas["Completing"], key: string) {
  return answered(
    client.POST("/api/products-checkout/{token}/complete-b2b-checkout", {
      params: { path: { token }, header: { "Idempotency-Key": key } },
      body,
    }),
  );
}

/** One command, one key: sent again, it is the same command. */
export function sendPlacementCommand(
  token: string,
  command: PlacementCommand,
  key: string,
): Promise<CommandAnswer> {
  const params = { path: { token }, header: { "Idempotency-Key": key } };
  switch (command.type) {
    case "PAY":
      return answered(
        client.POST("/v1/placements/{token}/payment", { params, body: command.payment }),
      );
    case "CANCEL":
      return answered(
        client.POST("/v1/placements/{token}/cancel", { params, body: { reason: "" } }),
      );
    case "AGREE":
      return answered(
        client.POST("/v1/placements/{token}/agree", {
          params,
          body: { quote_hash: command.quote_hash },
        }),
      );
    case "APPROVE":
      return answered(
        client.POST("/v1/approvals/{token}/approve", { params, body: { note: command.note } }),
      );
    case "REJECT":
      return answered(
        client.POST("/v1/approvals/{token}/reject", { params, body: { note: command.note } }),
      );
  }
}
