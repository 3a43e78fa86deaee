import { i18n, type Messages } from "@lingui/core";

export type Language = "en" | "fr";

/** The texts of a script, by language. */
export type Texts = Record<Language, () => Promise<{ messages: Messages }>>;

/** Those of the scripts that were asked for so far: a change of language needs them all. */
const asked: Texts[] = [];

/** Fetches a script and its texts together; the build writes the call round each `import()` (`checks/texts.ts`). */
export async function withTexts<Script>(
  texts: Texts,
  script: () => Promise<Script>,
): Promise<Script> {
  asked.push(texts);
  const [fetched] = await Promise.all([script(), add(texts)]);
  return fetched;
}

/** Another language, once every text that may be on the screen is there. */
export async function speak(language: Language, first: Texts): Promise<void> {
  const known = asked.length;
  const all = await Promise.all([first, ...asked].map((texts) => texts[language]()));
  if (asked.length > known) return speak(language, first); // a script came meanwhile, in the language before
  const messages = Object.assign({}, ...all.map((texts) => texts.messages));
  i18n.loadAndActivate({ locale: language, messages });
}

async function add(texts: Texts): Promise<void> {
  const language = i18n.locale as Language;
  if (!language) return; // the first language takes what was asked for until then
  const { messages } = await texts[language]();
  // Nothing on the screen shows them yet, so nobody has to be told.
  if (i18n.locale === language) Object.assign(i18n.messages, messages);
}
