import { relative, resolve } from "node:path";
import { createCompiledCatalog, getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import type { Plugin } from "vite";

export const LANGUAGES = ["en", "fr"] as const;
const ENTRY = "/src/app/main.tsx";
const TEXTS = "\0texts:";
const IMPORT = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?(["'])([^"']+)\1\s*\)/g;
const QUOTED = /["'`]([^"'`\n\\]{6})["'`]/g;

export type Messages = Record<string, unknown>;

/** Writes `withTexts` round each `import()`, so that a script comes with its texts. `null` where there is none. */
export function textsAsked(code: string, known: (name: string) => boolean): string | null {
  let found = false;
  const written = code.replace(IMPORT, (whole, _quote, name: string) => {
    if (!known(name)) return whole;
    found = true;
    const texts = LANGUAGES.map(
      (language) => `${language}: () => import("texts:${language}:${name}")`,
    );
    return `__withTexts({ ${texts.join(", ")} }, () => ${whole})`;
  });
  return found ? `import { withTexts as __withTexts } from "~/i18n/texts";\n${written}` : null;
}

/** What of a catalogue is named in the code of some modules. */
export function named(messages: Messages, codes: Iterable<string>): Messages {
  const found: Messages = {};
  for (const code of codes)
    for (const [, id = ""] of code.matchAll(QUOTED)) {
      if (Object.hasOwn(messages, id)) found[id] = messages[id];
    }
  return found;
}

/** No plugin may take the texts of a script for the script: its name is not whole in theirs. */
const idOf = (language: string, script: string) =>
  `${TEXTS}${language}:${script.replace("?tsr-split=", "|part|")}|texts`;
const scriptOf = (name: string) => name.replace(/\|texts$/, "").replace("|part|", "?tsr-split=");

/** Every text as it is written, by language and id. */
export async function catalogueOf(root: string): Promise<Map<string, Record<string, string>>> {
  const config = getConfig({ cwd: root });
  const [catalogue] = await getCatalogs(config);
  if (!catalogue) throw new Error("lingui.config.ts names no catalogue");
  const found = new Map<string, Record<string, string>>();
  for (const language of LANGUAGES) {
    const { messages } = await catalogue.getTranslations(language, {
      fallbackLocales: config.fallbackLocales,
      sourceLocale: config.sourceLocale ?? "en",
      missingBehavior: "resolved",
    });
    found.set(language, messages);
  }
  return found;
}

/** Splits the catalogues: the first page has its own texts, every script that is fetched later brings its own. */
export function textsByScript(): Plugin {
  const catalogues = new Map<string, Messages>();
  let root = "";
  return {
    name: "texts-by-script",
    enforce: "pre",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    async buildStart() {
      for (const [language, messages] of await catalogueOf(root)) {
        const odd = Object.keys(messages).find((id) => id.length !== 6);
        if (odd) throw new Error(`a text with an id of its own is not found in a script: ${odd}`);
        const { source } = createCompiledCatalog(language, messages, { namespace: "json" });
        catalogues.set(language, JSON.parse(source).messages);
      }
    },
    async resolveId(source, importer) {
      const own = /^texts:(\w+):(.+)$/.exec(source);
      if (own) {
        const script = await this.resolve(own[2] ?? "", importer);
        return script && idOf(own[1] ?? "", relative(root, script.id));
      }
      const first = /(\w+)\.po$/.exec(source);
      return first && idOf(first[1] ?? "", relative(root, root + ENTRY));
    },
    load(id) {
      if (!id.startsWith(TEXTS)) return undefined;
      return `export const messages = ${JSON.stringify(`@@${id.slice(1)}@@`)};`;
    },
    transform(code, id) {
      if (!id.startsWith(resolve(root, "src")) || !/\.tsx?(\?|$)/.test(id)) return undefined;
      if (id.includes("/i18n/")) return undefined;
      const written = textsAsked(code, (name) => /^[~.]/.test(name) || name.includes("tsr-split"));
      return written && { code: written, map: null };
    },
    renderChunk(code) {
      const reached = (start: string, seen = new Set<string>()): Set<string> => {
        if (seen.has(start)) return seen;
        seen.add(start);
        for (const next of this.getModuleInfo(start)?.importedIds ?? []) reached(next, seen);
        return seen;
      };
      const codesOf = (ids: Iterable<string>) =>
        [...ids].flatMap((id) =>
          id.includes("/node_modules/") ? [] : (this.getModuleInfo(id)?.code ?? []),
        );
      const written = code.replace(
        /(["'`])@@texts:(\w+):(.+?)@@\1/g,
        (_whole, _quote, language: string, script: string) => {
          const start = resolve(root, scriptOf(script));
          const messages = catalogues.get(language) ?? {};
          const first = named(messages, codesOf(reached(root + ENTRY)));
          if (start === root + ENTRY) return JSON.stringify(first);
          const own = named(messages, codesOf(reached(start)));
          const later = Object.entries(own).filter(([id]) => !Object.hasOwn(first, id));
          return JSON.stringify(Object.fromEntries(later));
        },
      );
      return written === code ? null : { code: written, map: null };
    },
  };
}
