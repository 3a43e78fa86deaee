import { type Language, speak, type Texts } from "./texts";

export type { Language } from "./texts";

const KEY = "language";

/** Of the first page: the build leaves in them what it shows. */
const first: Texts = {
  en: () => import("./en.po"),
  fr: () => import("./fr.po"),
};

/** What the person chose, else what the browser asks for, else English. */
export function preferredLanguage(): Language {
  const held = localStorage.getItem(KEY);
  if (held === "en" || held === "fr") return held;
  return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

export async function activateLanguage(language: Language): Promise<void> {
  await speak(language, first);
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await activateLanguage(language);
}
