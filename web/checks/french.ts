/** French as it is set in Québec, for `src/i18n/fr.po`; called by itself it sets what is not. */
import { readFileSync, writeFileSync } from "node:fs";

/** As `web/` is where tools and tests run. */
export const CATALOGUE = "src/i18n/fr.po";
const NO_BREAK = "\u00a0";

/** One apostrophe; a space that does not break before a colon and within quotation marks; none before `; ? !`. */
export function typeset(text: string): string {
  return text
    .replace(/(?<=\p{L})'(?=[\p{L}\p{N}{<«])/gu, "’")
    .replace(/[ \u202f]+:/g, `${NO_BREAK}:`)
    .replace(/[ \u00a0\u202f]+(?=[;?!])/g, "")
    .replace(/«[ \u202f]*(?!\u00a0)/g, `«${NO_BREAK}`)
    .replace(/(?<!\u00a0)[ \u202f]*»/g, `${NO_BREAK}»`);
}

/** The French of a catalogue, set; its English and comments as they are. */
export function typesetCatalogue(po: string): string {
  return po.replace(/^msgstr .*(?:\n".*)*/gm, (entry) =>
    entry.startsWith('msgstr ""\n"') && entry.includes("Content-Type") ? entry : typeset(entry),
  );
}

if (process.argv[1]?.endsWith("checks/french.ts")) {
  writeFileSync(CATALOGUE, typesetCatalogue(readFileSync(CATALOGUE, "utf8")));
}
