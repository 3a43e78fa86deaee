import { Problem, problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";
import { newKey } from "~/shared/api/idempotency";
import type { MethodAddress, SavedMethod } from "./types";

/** Calls that wait for the card provider or the gateway; the server gives up on them after 7 s. */
const PATIENT_MS = 8000;

export type CardKey = { detail: string; frameUrl: string | null };

export type NewCard = MethodAddress & {
  paymentMethodId: string;
  name: string;
  isDefault: boolean;
};

/** The card provider's public key, and where its page is; null for the provider's own script. */
export function cardKey(sapBpCode: string): Promise<CardKey> {
  return ask("GET", `/api/products-checkout/${encodeURIComponent(sapBpCode)}/get-stripe-key`);
}

/** Saves a card that the provider took; answers its id here. */
export async function attachCard(card: NewCard): Promise<string> {
  const { id } = await ask<{ id: string }>("POST", "/api/attach-stripe-card-to-user", card);
  return id;
}

export type NewBankAccount = MethodAddress & {
  name: string;
  holderType: "Individual" | "Company";
  accountType: "Checking" | "Savings";
  routingNumber: string;
  accountNumber: string;
  isDefault: boolean;
};

export type MethodUpdates = Partial<MethodAddress> & {
  name?: string;
  expMonth?: number;
  expYear?: number;
  isDefault?: boolean;
  isHidden?: boolean;
};

export async function addBankAccount(account: NewBankAccount): Promise<void> {
  await ask("POST", "/api/create-bank-account", account);
}

/** The two deposits, in cents. */
export async function verifyBankAccount(id: string, amounts: [number, number]): Promise<void> {
  await ask("POST", "/api/verify-bank-account", { paymentMethodId: id, amounts });
}

export async function changeMethod(
  { id, type }: SavedMethod,
  updates: MethodUpdates,
): Promise<void> {
  const path = type === "CARD" ? "/api/update-credit-card" : "/api/update-bank-account";
  await ask("PATCH", path, { paymentMethodId: id, ...updates });
}

export async function deleteMethod({ id, type }: SavedMethod): Promise<void> {
  const path = type === "CARD" ? "/api/delete-credit-card" : "/api/delete-bank-account";
  await ask("DELETE", `${path}?paymentMethodId=${encodeURIComponent(id)}`);
}

async function ask<T>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<T> {
  let answer: Response;
  try {
    answer = await authorised(
      new Request(window.location.origin + path, {
        method,
        headers: { "Content-Type": "application/json", "Idempotency-Key": newKey() },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(PATIENT_MS),
      }),
    );
  } catch (cause) {
    throw problemOf(cause);
  }
  if (answer.status === 204) return undefined as T; // of a call that answers nothing
  const told: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, told);
  return told as T;
}
