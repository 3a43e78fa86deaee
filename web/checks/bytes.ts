/** Fails when what a first page fetches before it is drawn is over its budget: `npm run bytes` measures what was built. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** In KB of 1,000 bytes, scripts and sheets of brotli; the number of scripts. */
type Weight = { js: number; css: number; fonts: number; scripts: number };

/** What the page itself names, before its address is looked at. */
const ENTRY: Weight = { js: 118.4, css: 10.2, fonts: 27, scripts: 1 };

type Page = {
  /** The scripts by which it is fetched, in their order: what all have, its layout, its route, and what that shows at once. */
  parts: readonly string[];
  budget: Weight;
};

/** As a visitor's phone gets them. What was reached, and a few hundred bytes. */
const PAGES: Record<string, Page> = {
  "/login": {
    parts: ["every-page", "_plain", "login"],
    budget: { js: 161.8, css: 10.5, fonts: 27, scripts: 9 },
  },
  "/activation": {
    parts: ["every-page", "_task", "activation.index"],
    budget: { js: 169.9, css: 13.8, fonts: 27, scripts: 11 },
  },
  "/search": {
    parts: ["every-page", "default", "search", "top-search"],
    budget: { js: 172.3, css: 16.2, fonts: 27, scripts: 12 },
  },
};

type Read = (name: string) => Buffer;

/** The scripts, sheets and typefaces that the page names, whatever its address. */
export function namedIn(page: string): string[] {
  const outside = page.replace(/<template.*?<\/template>/gs, "");
  return [...outside.matchAll(/(?:src=|href=|url\()"(\/assets\/[^"]+\.(?:js|css|woff2))"/g)].map(
    ([, name = ""]) => name,
  );
}

/** An import with its texts, if it has any: the French ones, which are the longer, the script, and where its table names what it needs. */
const IMPORT =
  /(?:fr:\(\)=>[\w$]+\(\(\)=>import\(`\.\/([^`]+)`\),\[\]\)\},\(\)=>|(?<![\w$]|(?:en|fr):\(\)=>))[\w$]+\(\(\)=>import\(`\.\/([^`]+)`\)[^,]*,(?:__vite__mapDeps\(\[([\d,]*)\]\)|\[\])/g;

/** What an import of `part` fetches, by the script that has it; where several do, they differ in nothing. Nothing, if it has none. */
function importedBy(script: string, part: string): string[] {
  const table = /m\.f=(\[.*?\])/.exec(script)?.[1] ?? "[]";
  const files: string[] = JSON.parse(table);
  const found = new Set<string>();
  for (const [, texts, name = "", needs = ""] of script.matchAll(IMPORT)) {
    if (found.size > 0 || name.replace(/-[\w-]{7}\.js$/, "") !== part) continue;
    for (const file of texts ? [name, texts] : [name]) found.add(`/assets/${file}`);
    for (const place of needs.split(",").filter(Boolean)) found.add(`/${files[Number(place)]}`);
  }
  return [...found];
}

/** All that is fetched for a page of these parts. Throws when none of its scripts has one of them. */
export function fetchedFor(page: string, parts: readonly string[], read: Read): string[] {
  const names = new Set(namedIn(page));
  for (const part of parts) {
    const scripts = [...names].filter((name) => name.endsWith(".js"));
    const imported = scripts.flatMap((name) => importedBy(read(name).toString(), part));
    if (imported.length === 0) throw new Error(`no script fetches ${part}`);
    for (const name of imported) names.add(name);
  }
  return [...names];
}

export function weigh(names: readonly string[], read: Read): Weight {
  const sum = (ending: string, sent: (file: Buffer) => Buffer = brotliCompressSync) =>
    names
      .filter((name) => name.endsWith(ending))
      .reduce((bytes, name) => bytes + sent(read(name)).length, 0) / 1000;
  return {
    js: sum(".js"),
    css: sum(".css"),
    fonts: sum(".woff2", (file) => file),
    scripts: names.filter((name) => name.endsWith(".js")).length,
  };
}

/** What is over its budget, in words. */
export function tooMuch(weight: Weight, budget: Weight): string[] {
  return (Object.keys(budget) as (keyof Weight)[])
    .filter((what) => weight[what] > budget[what])
    .map((what) => `${what}: ${Number(weight[what].toFixed(1))}, at most ${budget[what]}`);
}

const [, script = "", folder] = process.argv;
if (script.endsWith("bytes.ts") && folder) {
  const read: Read = (name) => readFileSync(join(folder, name));
  const page = read("index.html").toString();
  const told = (name: string, names: readonly string[], budget: Weight) => {
    const weight = weigh(names, read);
    const { js, css, fonts, scripts } = weight;
    console.log(
      `${name}: ${js.toFixed(1)} KB of ${scripts} scripts, ${css.toFixed(1)} KB of CSS, ${fonts.toFixed(1)} KB of type`,
    );
    for (const fault of tooMuch(weight, budget)) {
      console.error(`${name}: ${fault}`);
      process.exitCode = 1;
    }
  };
  told("every page", namedIn(page), ENTRY);
  for (const [address, { parts, budget }] of Object.entries(PAGES))
    told(address, fetchedFor(page, parts, read), budget);
}
