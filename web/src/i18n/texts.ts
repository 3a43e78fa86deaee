import { i18n, type Messages } from "@lingui/core";

export type Language = "en" | "fr";

/** How days and figures are written: French is that of Canada. */
export function localeOf(language: string): string {
  return language === "fr" ? "fr-CA" : language;
}

/** The texts of a script, by language. */
export type Texts = Record<Language, () => Promise<{ messages: Messages }>>;

/** The scripts that were asked for so far, and theirs: a change of language needs all of those that came. */
const asked: [Texts, Promise<unknown>][] = [];

/** Fetches a script and its texts together; the build writes the call round each `import()` (`checks/texts.ts`). */
export async function withTexts<Script>(
  texts: Texts,
  script: () => Promise<Script>,
): Promise<Script> {
  const coming = script();
  asked.push([texts, coming]);
  const [fetched] = await Promise.all([coming, add(texts)]);
  return fetched;
}

/** Another language, once every text that may be on the screen is there. */
export async function speak(language: Language, first: Texts): Promise<void> {
  const known = asked.length;
  const all = await Promise.all([
    first[language](),
    ...asked.map(([texts, script]) =>
      texts[language]().catch((cause) =>
        script.then(
          () => Promise.reject(cause),
          () => ({ messages: {} }), // what did not come shows nothing
        ),
      ),
    ),
  ]);
  if (asked.length > known) return speak(language, first); // a script came meanwhile, in the language before
  const messages = Object.assign({}, ...all.map((texts) => texts.messages));
  i18n.loadAndActivate({ locale: language, locales: localeOf(language), messages });
}

async function add(texts: Texts): Promise<void> {
  const language = i18n.locale as Language;
  if (!language) return; // the first language takes what was asked for until then
  const { messages } = await texts[language]();
  // Nothing on the screen shows them yet, so nobody has to be told.
  if (i18n.locale === language) Object.assign(i18n.messages, messages);
}
