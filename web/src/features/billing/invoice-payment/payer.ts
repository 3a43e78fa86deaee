import type { PaymentChoice } from "~/shared/payments/types";
import type { Payer } from "./types";

/** The saved method that was chosen; nothing else pays an invoice. */
export function payerOf(choice: PaymentChoice | undefined): Payer | undefined {
  if (!choice?.method_id || (choice.type !== "CARD" && choice.type !== "BANK_ACCOUNT")) return;
  return { type: choice.type, method_id: choice.method_id };
}
