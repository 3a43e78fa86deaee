import { answered, client, type Schemas } from "~/shared/api/client";
import { newKey } from "~/shared/api/idempotency";
import type { SavedMethod } from "./types";

type CardKey = Schemas["ProviderKey"];
export type NewCard = Schemas["AttachedCard"];
export type NewBankAccount = Schemas["NewBankAccount"];
type MethodUpdates = Omit<Schemas["CardChanges"], "paymentMethodId" | "sapBpCode">;

const once = (key: string) => ({ "Idempotency-Key": key });

/** The card provider's public key, and where its page is; null for the provider's own script. */
export function cardKey(sapBpCode: string): Promise<CardKey> {
  return answered(
    client.GET("/api/products-checkout/{sap_bp_code}/get-stripe-key", {
      params: { path: { sap_bp_code: sapBpCode } },
    }),
  );
}

/** Saves a card that the provider took; answers its id here. */
export async function attachCard(card: NewCard, key: string): Promise<string> {
  const saved = await answered(
    client.POST("/api/attach-stripe-card-to-user", { body: card, headers: once(key) }),
  );
  return saved.id;
}

export async function addBankAccount(account: NewBankAccount, key: string): Promise<void> {
  await answered(client.POST("/api/create-bank-account", { body: account, headers: once(key) }));
}

/** What the bank's statement shows: two deposits, in cents, or one whose text holds a code. */
export type Deposits = { amounts: [number, number] } | { descriptorCode: string };

export async function verifyBankAccount(
  id: string,
  deposits: Deposits,
  key: string,
): Promise<void> {
  const body = { paymentMethodId: id, ...deposits };
  await answered(client.POST("/api/verify-bank-account", { body, headers: once(key) }));
}

export async function changeMethod(
  { id, type }: SavedMethod,
  updates: MethodUpdates,
  key = newKey(),
): Promise<void> {
  if (type === "CARD") {
    const body = { ...updates, paymentMethodId: id };
    await answered(client.PATCH("/api/update-credit-card", { body }));
    return;
  }
  const { expMonth: _, expYear: __, ...rest } = updates;
  const body = { ...rest, paymentMethodId: id };
  await answered(client.PATCH("/api/update-bank-account", { body, headers: once(key) }));
}

export async function deleteMethod({ id, type }: SavedMethod): Promise<void> {
  const params = { query: { paymentMethodId: id } };
  await answered(
    type === "CARD"
      ? client.DELETE("/api/delete-credit-card", { params })
      : client.DELETE("/api/delete-bank-account", { params }),
  );
}
