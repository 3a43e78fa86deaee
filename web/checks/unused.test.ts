import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const EXPORT =
  /^export (?:async )?(?:function\*?|const|class|type|interface|let|enum) ([A-Za-z0-9_$]+)/gm;

/** Files that others ask by their place, or that are written for us. */
const OF_OTHERS = /routes\/|\.(gen|chart|d)\.tsx?$/;

/** What a file exports that no other one says. */
function unsaid(sources: ReadonlyMap<string, string>): string[] {
  const sayers = new Map<string, number>();
  for (const text of sources.values())
    for (const word of new Set(text.match(/[\w$]+/g)))
      sayers.set(word, (sayers.get(word) ?? 0) + 1);
  return [...sources]
    .filter(([file]) => !OF_OTHERS.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(EXPORT)]
        .filter(([, name = ""]) => sayers.get(name) === 1)
        .map(([, name]) => `${file}: ${name}`),
    );
}

test("what a file exports is said by another", () => {
  const files = globSync(["{src,e2e,checks,screens,conformance}/**/*.{ts,tsx}", "*.ts"]);
  expect(files.length).toBeGreaterThan(900);
  expect(unsaid(new Map(files.map((file) => [file, readFileSync(file, "utf8")])))).toEqual([]);
});

test("an export that nobody says is found, one that a test says is not", () => {
  const sources = new Map([
    ["a.ts", "export const ALONE = 1;\nexport function said() {}\nconst own = ALONE;"],
    ["a.test.ts", 'import { said } from "./a";'],
  ]);
  expect(unsaid(sources)).toEqual(["a.ts: ALONE"]);
});
