import { setupI18n } from "@lingui/core";
import { expect, test } from "vitest";
import { MEMO_TAB_WORDS } from "~/features/billing/credit-memos/words";
import { TAB_WORDS as INVOICE_TABS } from "~/features/billing/invoices/words";
import { TAB_WORDS as VISIT_TABS } from "~/features/devices/visits/words";
import { TAB_WORDS as ORDER_TABS, STATUS_WORDS } from "~/features/orders/words";
import { messages } from "~/i18n/fr.po";

const french = setupI18n({ locale: "fr", messages: { fr: messages } });

test.each([
  ["orders", ORDER_TABS, ["En cours", "Expédiées", "Facturées", "Annulées"]],
  ["invoices", INVOICE_TABS, ["Ouvertes", "En retard", "En cours de paiement", "Payées"]],
  ["credit memos", MEMO_TAB_WORDS, ["Disponibles", "Appliquées"]],
  [
    "visits",
    VISIT_TABS,
    ["En attente du propriétaire", "Autorisées", "Refusées", "Sans réponse à temps", "Terminées"],
  ],
])("the French tabs of %s agree with what they count", (_, words, said) => {
  expect(Object.values(words).map((one) => french._(one))).toEqual(said);
});

test("an order that was cancelled is one in French", () => {
  expect(french._(STATUS_WORDS.cancelled)).toBe("Annulée");
});
