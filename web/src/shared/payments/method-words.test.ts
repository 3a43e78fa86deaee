import { i18n } from "@lingui/core";
import { expect, test } from "vitest";
import { aBankAccount, aCard } from "~/testing/shop/a-payment-method";
import { expiryOf, faultOfMethod, nameOf, paidBy } from "./method-words";

test("a card is named by its brand and its last digits, and expires as it says on it", () => {
  expect(nameOf(aCard(), i18n)).toBe("Visa •••• 4242");
  expect(expiryOf(aCard({ expMonth: 3, expYear: 2031 }))).toBe("03/31");
  expect(expiryOf(aBankAccount())).toBeUndefined();
});

test("what has no name of its own is paid in words, not in codes", () => {
  expect(paidBy("TERMS", i18n)).toBe("Payment terms");
  expect(paidBy("Visa •••• 4242", i18n)).toBe("Visa •••• 4242");
});

test.each([
  [aCard(), undefined],
  [aCard({ isValid: false }), "Expired"],
  [aBankAccount({ status: "pending" }), "Not verified yet"],
  [aBankAccount({ status: "failed" }), "Could not be verified"],
  [aBankAccount({ status: "returned" }), "Returned by the bank"],
  [aBankAccount(), undefined],
])("what keeps a method from being used", (method, words) => {
  expect(faultOfMethod(method)?.message).toBe(words);
});

test("a method that was declined is marked, and only that one", () => {
  expect(faultOfMethod(aCard({ id: "m1" }), ["m1"])?.message).toBe("Declined for this payment");
  expect(faultOfMethod(aCard({ id: "m2" }), ["m1"])).toBeUndefined();
});
