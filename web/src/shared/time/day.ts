import type { I18n } from "@lingui/core";

/** A calendar day (YYYY-MM-DD) in the page's language; no time zone moves it. */
export function dayInWords(i18n: I18n, on: string): string {
  return i18n.date(`${on}T12:00:00`, { dateStyle: "medium" });
}
