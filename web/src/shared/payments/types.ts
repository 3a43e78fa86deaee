import type { Schemas } from "~/shared/api/client";

export type PaymentKind = "CARD" | "BANK_ACCOUNT" | "COD" | "TERMS";

export type SavedMethod = Schemas["SavedMethodOut"];

export type PaymentMethods = Schemas["MethodsOut"];

/** A way to pay that was chosen: `method_id` of a saved one, null for COD and TERMS. */
export type PaymentChoice = { type: PaymentKind; method_id: string | null };
