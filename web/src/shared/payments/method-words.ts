import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { PaymentKind, SavedMethod } from "./types";

const KINDS: Record<string, MessageDescriptor> = {
  Checking: msg`Checking`,
  Savings: msg`Savings`,
};

const TYPES = {
  CARD: msg`Card`,
  BANK_ACCOUNT: msg`Bank account`,
  COD: msg`COD (cash on delivery)`,
  TERMS: msg`Payment terms`,
} satisfies Record<PaymentKind, MessageDescriptor>;

/** `Visa •••• 4242`; the kind of a bank account in the page's language. */
export function nameOf({ brand, last4 }: SavedMethod, i18n: I18n): string {
  const kind = KINDS[brand];
  return `${kind ? i18n._(kind) : brand} •••• ${last4}`;
}

export function typeName(type: PaymentKind): MessageDescriptor {
  return TYPES[type];
}

/** How something is paid: a saved method by its own name, the ways without one in words. */
export function paidBy(shown: string, i18n: I18n): string {
  return shown in TYPES ? i18n._(TYPES[shown as PaymentKind]) : shown;
}

/** `MM/YY`, as it stands on the card. */
export function expiryOf({ expMonth, expYear }: SavedMethod): string | undefined {
  if (expMonth === null || expYear === null) return undefined;
  return `${String(expMonth).padStart(2, "0")}/${String(expYear % 100).padStart(2, "0")}`;
}

/** Why a saved method cannot be paid with now; nothing when it can. */
export function faultOfMethod(
  method: SavedMethod,
  refused: readonly string[] = [],
): MessageDescriptor | undefined {
  switch (method.status) {
    case "pending":
      return msg`Not verified yet`;
    case "failed":
      return msg`Could not be verified`;
    case "returned":
      return msg`Returned by the bank`;
    case "ready":
      break;
  }
  if (!method.isValid) return method.type === "CARD" ? msg`Expired` : msg`Cannot be used`;
  return refused.includes(method.id) ? msg`Declined for this payment` : undefined;
}
