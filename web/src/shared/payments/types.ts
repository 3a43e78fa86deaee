export type PaymentKind = "CARD" | "BANK_ACCOUNT" | "COD" | "TERMS";

export type MethodAddress = {
  streetAddress1: string;
  streetAddress2: string;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
};

/** How far the two deposits of a bank account are. */
export type Verification = {
  state: string;
  triesLeft: number;
  reason: string | null;
  expiresAt: string;
};

export type SavedMethod = {
  id: string;
  type: "CARD" | "BANK_ACCOUNT";
  isMain: boolean;
  isHidden: boolean;
  isValid: boolean;
  brand: string;
  last4: string;
  expMonth: number | null;
  expYear: number | null;
  name: string;
  country: string;
  status: "ready" | "pending" | "failed" | "returned";
  shown: string;
  billingAddress: MethodAddress;
  verification?: Verification | null;
};

export type PaymentMethods = {
  results: SavedMethod[];
  allowed: { cards: boolean; bank: boolean; cod: boolean; terms: boolean };
  creditAvailable: number | null;
};

/** A way to pay that was chosen: `method_id` of a saved one, null for COD and TERMS. */
export type PaymentChoice = { type: PaymentKind; method_id: string | null };
