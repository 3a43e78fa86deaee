import { readFileSync } from "node:fs";
import { setupI18n } from "@lingui/core";
import { expect, test } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { faultWords } from "./fault-words";

const REASONS = ["common", "walk", "own_name", "own_domain", "same"];

test.each([
  ["en", en, "Password invalid"],
  ["fr", fr, "Mot de passe non valide"],
])("each reason has words of its own behind the spec's text: %s", (locale, messages, plain) => {
  const i18n = setupI18n({ locale, messages: { [locale]: messages } });
  const told = REASONS.map((reason) => faultWords("Password invalid", i18n, reason));
  expect(new Set(told).size).toBe(REASONS.length);
  for (const words of told) expect(words).toMatch(new RegExp(`^${plain}\\. .+\\.$`));
});

test("no reason, one that the field tells already, and other faults keep their text", () => {
  const i18n = setupI18n({ locale: "en", messages: { en } });
  for (const reason of [undefined, "rule", "of tomorrow"]) {
    expect(faultWords("Password invalid", i18n, reason)).toBe("Password invalid");
  }
  expect(faultWords("Passwords do not match", i18n, "common")).toBe("Passwords do not match");
});

test("every fault of a rule has words in French", () => {
  const { rules } = JSON.parse(readFileSync("../tests/identity/validation/cases.json", "utf8"));
  const faults = new Set<string>(
    rules.flatMap(({ fault }: { fault: string | null }) => (fault ? [fault] : [])),
  );
  const i18n = setupI18n({ locale: "fr", messages: { fr } });
  expect([...faults].filter((fault) => faultWords(fault, i18n) === fault)).toEqual([]);
});
