import { answered, client, type Schemas } from "~/shared/api/client";
import type { PlacementWish } from "~/shared/placements/flow";
import type { PlacementAnswer } from "./types";

export type Told = PlacementAnswer | Schemas["Accepted"];

/** Places the order that was quoted. One intent, one key: sent again, it is the same order. */
export function placeOrder(token: string, body: Schemas["Completing"], key: string) {
  return answered(
    client.POST("/api/products-checkout/{token}/complete-b2b-checkout", {
      params: { path: { token }, header: { "Idempotency-Key": key } },
      body,
    }),
  );
}

/** One wish, one key: sent again, it is the same wish. */
export function tellPlacement(token: string, wish: PlacementWish, key: string): Promise<Told> {
  const params = { path: { token }, header: { "Idempotency-Key": key } };
  switch (wish.type) {
    case "PAY":
      return answered(
        client.POST("/v1/placements/{token}/payment", { params, body: wish.payment }),
      );
    case "CANCEL":
      return answered(
        client.POST("/v1/placements/{token}/cancel", { params, body: { reason: "" } }),
      );
    case "AGREE":
      return answered(
        client.POST("/v1/placements/{token}/agree", {
          params,
          body: { quote_hash: wish.quote_hash },
        }),
      );
    case "APPROVE":
      return answered(
        client.POST("/v1/approvals/{token}/approve", { params, body: { note: wish.note } }),
      );
    case "REJECT":
      return answered(
        client.POST("/v1/approvals/{token}/reject", { params, body: { note: wish.note } }),
      );
  }
}
