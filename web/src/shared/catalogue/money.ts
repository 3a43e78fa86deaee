import type { I18n } from "@lingui/core";

/** US dollars (shop spec 9), in the page's language. */
export function dollars(i18n: I18n, amount: number): string {
  return i18n.number(amount, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
  });
}
