import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Everything that the portal says, in English. */
const said = readFileSync("src/i18n/en.po", "utf8")
  .split("\n")
  .flatMap((line) => (line.startsWith('msgid "') ? [line.slice(7, -1)] : []));

test.each([
  ["one logs in and out", /\bsign(s|ed|ing)?[ -](in|out)\b/i],
  ["one logs in, by a login", /\b(please|to|you) log-?(in|out)\b/i],
  ["what is not possible cannot be", /\bcan not\b/i],
])("a thing is said one way: %s", (_, otherwise) => {
  expect(said.length).toBeGreaterThan(1_000);
  expect(said.filter((text) => otherwise.test(text))).toEqual([]);
});
