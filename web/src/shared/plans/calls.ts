import { answered, client, type Schemas } from "~/shared/api/client";
import { newKey } from "~/shared/api/idempotency";
import type { Payer, PurchaseAnswer } from "./types";

/** `ends_on` is a day, as 2027-03-01, that the plan is cut to end on. */
export type PlanRequest = { device_key: string; plan_id: string; ends_on?: string | null };

/** What a person, or an owner who approves, may ask of a purchase. */
export type PurchaseCommand =
  | { type: "CONFIRM"; quoteHash: string; payer: Payer | undefined; reason: string }
  | { type: "AGREE"; quoteHash: string }
  | { type: "APPROVE"; note: string }
  | { type: "REJECT"; note: string }
  | { type: "PAY"; payer: Payer }
  | { type: "RETRY"; deviceKeys: readonly string[] }
  | { type: "GIVE_UP" }
  | { type: "CANCEL" };

export type CommandAnswer = PurchaseAnswer | Schemas["Accepted"];

/** One command, one key: sent again, it is the same command. */
export function sendPurchaseCommand(
  id: string,
  command: PurchaseCommand,
  key: string,
): Promise<CommandAnswer> {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  switch (command.type) {
    case "CONFIRM":
      return answered(
        client.POST("/v1/purchases/{id}/confirm", {
          params,
          body: { quote_hash: command.quoteHash, reason: command.reason, ...command.payer },
        }),
      );
    case "AGREE":
      return answered(
        client.POST("/v1/purchases/{id}/agree", {
          params,
          body: { quote_hash: command.quoteHash },
        }),
      );
    case "APPROVE":
      return answered(
        client.POST("/v1/purchases/{id}/approve", { params, body: { note: command.note } }),
      );
    case "REJECT":
      return answered(
        client.POST("/v1/purchases/{id}/reject", { params, body: { note: command.note } }),
      );
    case "PAY":
      return answered(client.POST("/v1/purchases/{id}/payment", { params, body: command.payer }));
    case "RETRY":
      return answered(
        client.POST("/v1/purchases/{id}/retry", {
          params,
          body: { device_keys: [...command.deviceKeys] },
        }),
      );
    case "GIVE_UP":
      return answered(client.POST("/v1/purchases/{id}/give-up", { params, body: {} }));
    case "CANCEL":
      return answered(client.POST("/v1/purchases/{id}/cancel", { params, body: {} }));
  }
}

/**
 * The mock run: what plans for these devices cost now, within `quoteUuid` where that purchase is not paid yet. Answers
 * the purchase in which the figures stand, also where no plan can be had: there it says why.
 */
export async function quotePlans(
  lines: readonly PlanRequest[],
  quoteUuid?: string,
): Promise<string> {
  const asked = client.POST("/v1/payments", {
    params: { query: { validate: ["true"] }, header: { "Idempotency-Key": newKey() } },
    body: {
      line_items: lines.map(({ device_key, plan_id, ends_on }) => ({
        device_key,
        plan_id,
        ends_on,
      })),
      quote_uuid: quoteUuid,
    },
  });
  const refusal: object | undefined = await asked.then(
    ({ error }) => error,
    () => undefined,
  );
  if (refusal && "uuid" in refusal && typeof refusal.uuid === "string") return refusal.uuid;
  const answer = await answered(asked);
  return "uuid" in answer ? answer.uuid : answer.id;
}
