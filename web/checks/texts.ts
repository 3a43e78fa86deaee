import { relative, resolve } from "node:path";
import { createCompiledCatalog, getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import type { Plugin, Rolldown } from "vite";

export const LANGUAGES = ["en", "fr"] as const;
const ENTRY = "/src/app/main.tsx";
const TEXTS = "\0texts:";
const IMPORT = /\bimport\(\s*(\/\*.*?\*\/\s*)?(["'])([^"']+)\2\s*\)/g;
/** What a script that comes with every page says where it has no texts of its own, which would be one more request. */
const TEXTLESS = /^\/\* no texts \*\//;
const QUOTED = /["'`]([^"'`\n\\]{6})["'`]/g;

export type Messages = Record<string, unknown>;

/** Writes `withTexts` round each `import()`, so that a script comes with its texts. `null` where there is none. */
export function textsAsked(code: string, known: (name: string) => boolean): string | null {
  let found = false;
  const written = code.replace(IMPORT, (whole, said: string | undefined, _quote, name: string) => {
    if (!known(name) || TEXTLESS.test(said ?? "")) return whole;
    found = true;
    const texts = LANGUAGES.map(
      (language) => `${language}: () => import("texts:${language}:${name}")`,
    );
    return `__withTexts({ ${texts.join(", ")} }, () => ${whole})`;
  });
  return found ? `import { withTexts as __withTexts } from "~/i18n/texts";\n${written}` : null;
}

/** What is imported as a script without texts. */
export function textless(code: string): string[] {
  return [...code.matchAll(IMPORT)].flatMap(([, said = "", , name = ""]) =>
    TEXTLESS.test(said) ? [name] : [],
  );
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

/** What a script needs beside the texts of the first one; the first has its own. */
function ownTexts(
  graph: Pick<Rolldown.PluginContext, "getModuleInfo">,
  root: string,
  script: string,
  messages: Messages,
): Messages {
  const reached = (start: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(start)) return seen;
    seen.add(start);
    for (const next of graph.getModuleInfo(start)?.importedIds ?? []) reached(next, seen);
    return seen;
  };
  const namedFrom = (start: string) =>
    named(
      messages,
      [...reached(start)].flatMap((id) =>
        id.includes("/node_modules/") ? [] : (graph.getModuleInfo(id)?.code ?? []),
      ),
    );
  const first = namedFrom(root + ENTRY);
  if (script === root + ENTRY) return first;
  const own = Object.entries(namedFrom(script));
  return Object.fromEntries(own.filter(([id]) => !Object.hasOwn(first, id)));
}

/** Splits the catalogues: the first page has its own texts, every script that is fetched later brings its own. */
export function textsByScript(): Plugin {
  const catalogues = new Map<string, Messages>();
  const silent = new Set<string>();
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
    async transform(code, id) {
      if (!id.startsWith(resolve(root, "src")) || !/\.tsx?(\?|$)/.test(id)) return undefined;
      if (id.includes("/i18n/")) return undefined;
      for (const name of textless(code)) {
        const script = await this.resolve(name, id);
        if (script) silent.add(script.id);
      }
      const written = textsAsked(code, (name) => /^[~.]/.test(name) || name.includes("tsr-split"));
      return written && { code: written, map: null };
    },
    buildEnd(failure) {
      if (failure) return;
      for (const script of silent) {
        const [text] = Object.values(ownTexts(this, root, script, catalogues.get("en") ?? {}));
        if (text) throw new Error(`${script} is imported without its texts: ${text}`);
      }
    },
    renderChunk(code) {
      const written = code.replace(
        /(["'`])@@texts:(\w+):(.+?)@@\1/g,
        (_whole, _quote, language: string, script: string) => {
          const start = resolve(root, scriptOf(script));
          return JSON.stringify(ownTexts(this, root, start, catalogues.get(language) ?? {}));
        },
      );
      return written === code ? null : { code: written, map: null };
    },
  };
}
