/** Fails when what the page asks for before it shows anything is over its budget: `npm run bytes` measures what was built. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** In KB of 1,000 bytes, scripts and sheets of brotli; the number of scripts. */
export type Weight = { js: number; css: number; fonts: number; scripts: number };

const BUDGET: Weight = { js: 119, css: 11, fonts: 40, scripts: 1 };

/** The scripts, sheets and typefaces that a page names, as its build left them in `folder`. */
export function weigh(page: string, read: (name: string) => Buffer): Weight {
  const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css|woff2))"/g)].map(
    ([, name = ""]) => name,
  );
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
export function tooMuch(weight: Weight, budget: Weight = BUDGET): string[] {
  return (Object.keys(budget) as (keyof Weight)[])
    .filter((what) => weight[what] > budget[what])
    .map((what) => `${what}: ${Number(weight[what].toFixed(1))}, at most ${budget[what]}`);
}

const [, script = "", folder] = process.argv;
if (script.endsWith("bytes.ts") && folder) {
  const weight = weigh(readFileSync(join(folder, "index.html"), "utf8"), (name) =>
    readFileSync(join(folder, name)),
  );
  const faults = tooMuch(weight);
  for (const fault of faults) console.error(fault);
  const { js, css, fonts, scripts } = weight;
  console.log(
    `first page: ${js.toFixed(1)} KB of ${scripts} scripts, ${css.toFixed(1)} KB of CSS, ${fonts.toFixed(1)} KB of type`,
  );
  process.exitCode = faults.length ? 1 : 0;
}
