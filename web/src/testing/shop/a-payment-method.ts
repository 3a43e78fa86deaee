import type { SavedMethod } from "~/shared/payments/types";

const ADDRESS = {
  streetAddress1: "1 Dock Street",
  streetAddress2: "",
  city: "Vancouver",
  state: "BC",
  postalCode: "V6B 1A1",
  countryCode: "CA",
};

/** A card that can be used, unless told otherwise. */
export function aCard(more: Partial<SavedMethod> = {}): SavedMethod {
  return {
    id: "card1",
    type: "CARD",
    isMain: false,
    isHidden: false,
    isValid: true,
    brand: "Visa",
    last4: "4242",
    expMonth: 12,
    expYear: 2030,
    name: "Olivia Marchand",
    country: "CA",
    status: "ready",
    shown: "Visa •••• 4242",
    billingAddress: ADDRESS,
    verification: null,
    ...more,
  };
}

/** A verified bank account, unless told otherwise. */
export function aBankAccount(more: Partial<SavedMethod> = {}): SavedMethod {
  return aCard({
    id: "bank1",
    type: "BANK_ACCOUNT",
    brand: "Checking",
    last4: "6789",
    expMonth: null,
    expYear: null,
    shown: "Checking •••• 6789",
    ...more,
  });
}
