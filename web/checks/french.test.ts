import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CATALOGUE, typeset, typesetCatalogue } from "./french";

test.each([
  ["L'heure d'hiver", "L’heure d’hiver"],
  ["l'{name}", "l’{name}"],
  ["Note : oui", "Note\u00a0: oui"],
  ["Vraiment ? Oui ; non !", "Vraiment? Oui; non!"],
  ["Rien pour « {0} »", "Rien pour «\u00a0{0}\u00a0»"],
  [
    "{0, plural, one {# appareil} other {# appareils}}",
    "{0, plural, one {# appareil} other {# appareils}}",
  ],
  ["à 12:05", "à 12:05"],
])("%s", (written, set) => {
  expect(typeset(written)).toBe(set);
  expect(typeset(set)).toBe(set);
});

test("the French of the catalogue is set as in Québec: `node checks/french.ts` sets it", () => {
  const po = readFileSync(CATALOGUE, "utf8");
  const lines = po.split("\n");
  expect(
    typesetCatalogue(po)
      .split("\n")
      .filter((line, at) => line !== lines[at]),
  ).toEqual([]);
});
