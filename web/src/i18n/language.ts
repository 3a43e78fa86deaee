import { i18n } from "@lingui/core";

export type Language = "en" | "fr";
const KEY = "language";

const catalogues = {
  en: () => import("./en.po"),
  fr: () => import("./fr.po"),
} satisfies Record<Language, unknown>;

/** What the person chose, else what the browser asks for, else English. */
export function preferredLanguage(): Language {
  const held = localStorage.getItem(KEY);
  if (held === "en" || held === "fr") return held;
  return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

export async function activateLanguage(language: Language): Promise<void> {
  const { messages } = await catalogues[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await activateLanguage(language);
}
