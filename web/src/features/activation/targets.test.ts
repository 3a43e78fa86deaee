import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LEAST = 48;

/** What is pressed in the bay, by its sheet and selector. */
test.each([
  ["bar/about.module.css", ".back"],
  ["option-tables/option-table.module.css", ".tools > :nth-child(2)"],
  ["option-tables/option-table.module.css", ".input"],
  ["option-tables/option-table.module.css", ".was button"],
  ["commands/command-bench.module.css", ".buttons .ask"],
])("a gloved thumb meets %s %s", (sheet, selector) => {
  const css = readFileSync(`src/features/activation/${sheet}`, "utf8");
  const rules = css.split("}").filter((rule) => rule.split("{").at(-2)?.trim().endsWith(selector));
  const sizes = rules.flatMap((rule) =>
    [...rule.matchAll(/min-(?:height|width): (\d+)px/g)].map(([, size]) => Number(size)),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(LEAST);
});
