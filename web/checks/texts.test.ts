import { expect, test } from "vitest";
import { named, textless, textsAsked } from "./texts";

const own = (name: string) => name.startsWith(".");

test("a script that is fetched later is fetched with its texts", () => {
  const written = textsAsked(`const a = lazy(() => import("./a"));`, own);
  expect(written).toContain("import { withTexts as __withTexts }");
  expect(written).toContain(
    `lazy(() => __withTexts({ en: () => import("texts:en:./a"), fr: () => import("texts:fr:./a") }, () => import("./a")))`,
  );
});

test("libraries have no texts of ours, and what imports nothing later stays as it is", () => {
  expect(textsAsked(`import("library")`, own)).toBeNull();
  expect(textsAsked(`import { a } from "./a";`, own)).toBeNull();
});

test("a script that is said to have no texts is fetched alone", () => {
  const code = `import(/* no texts */ "./a"); import(/* later */ "./b");`;
  expect(textless(code)).toEqual(["./a"]);
  const written = textsAsked(code, own);
  expect(written).toContain(`import(/* no texts */ "./a");`);
  expect(written).not.toContain("texts:en:./a");
  expect(written).toContain("texts:en:./b");
});

test("of a catalogue a script has what its code names", () => {
  const messages = { abc123: "one", "x+/Y12": "two", other1: "three" };
  const code = `_({ id: "abc123" }); t({id:'x+/Y12', message: \`m\`}); const constructor = "toString";`;
  expect(named(messages, [code])).toEqual({ abc123: "one", "x+/Y12": "two" });
});
