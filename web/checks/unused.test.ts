import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const EXPORT =
  /^export (?:async )?(?:function\*?|const|class|type|interface|let|enum) ([A-Za-z0-9_$]+)/gm;

/** Files that others ask by their place, or that are written for us. */
const OF_OTHERS = /routes\/|\.(gen|chart|d)\.tsx?$/;

/** By what tests judge the rest, or what is written for the build; nothing else is said by tests alone. */
const FOR_TESTS = [
  "src/app/theme.ts: cssVariables",
  "src/i18n/texts.ts: withTexts",
  "src/layouts/bare.tsx: BlankLayout",
  "src/shared/business.ts: areasOnBusiness",
  "src/shared/navigation/links.ts: DROPDOWNS",
  "src/shared/navigation/links.ts: FOOTER",
];

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

test("what only tests say is not kept for them", () => {
  const files = globSync("src/**/*.{ts,tsx}").filter(
    (file) => !/\.test\.tsx?$|^src\/testing\//.test(file),
  );
  const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const own = unsaid(sources).filter((one) => {
    const [file = "", name = ""] = one.split(": ");
    return sources.get(file)?.match(new RegExp(`\\b${name}\\b`, "g"))?.length === 1;
  });
  expect(own.sort()).toEqual(FOR_TESTS);
});

const BUILD = "what the build, the types or a tool asks for by name";

/** Packages that no file of ours imports, and why they are here. */
const NOT_IMPORTED: Record<string, string> = {
  "@babel/core": BUILD,
  "@lingui/babel-plugin-lingui-macro": BUILD,
  "@biomejs/biome": BUILD,
  "@testing-library/dom": "what the others of its family stand on",
  "@types/node": BUILD,
  "@types/react": BUILD,
  "@types/react-dom": BUILD,
  typescript: BUILD,
};

test("each package is imported, or named here with the reason", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const texts = globSync(["{src,e2e,checks,screens,conformance}/**/*.{ts,tsx,css}", "*.ts"])
    .filter((file) => !file.includes("unused.test"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const left = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !texts.includes(`"${name}"`) && !texts.includes(`"${name}/`),
  );
  expect(left.sort()).toEqual(Object.keys(NOT_IMPORTED).sort());
});

test("an export that nobody says is found, one that a test says is not", () => {
  const sources = new Map([
    ["a.ts", "export const ALONE = 1;\nexport function said() {}\nconst own = ALONE;"],
    ["a.test.ts", 'import { said } from "./a";'],
  ]);
  expect(unsaid(sources)).toEqual(["a.ts: ALONE"]);
});
