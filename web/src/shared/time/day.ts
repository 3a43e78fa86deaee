import type { I18n } from "@lingui/core";

/** How the specs write a day in figures (shell spec 9), in English. */
const IN_FIGURES = {
  "MM/DD/YYYY": { year: "numeric", month: "2-digit", day: "2-digit" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
const TO_THE_SECOND = { hour: "numeric", minute: "2-digit", second: "2-digit" } as const;

/** A moment to the second, where many stand below one another. */
export function momentInFigures(i18n: I18n, at: string): string {
  return i18n.date(at, { ...IN_FIGURES["MM/DD/YYYY"], ...TO_THE_SECOND });
}

/** A calendar day (YYYY-MM-DD) in the page's language; no time zone moves it. */
export function dayInWords(i18n: I18n, on: string): string {
  return i18n.date(`${on}T12:00:00`, { dateStyle: "medium" });
}
