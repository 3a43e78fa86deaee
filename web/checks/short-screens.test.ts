import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Rules of a sheet, those within a condition with it before them. */
function rulesOf(sheet: string): { when: string; of: string; does: string }[] {
  const bare = sheet.replace(/\/\*.*?\*\//gs, "");
  const found = [...bare.matchAll(/(@media[^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g)];
  const inside = found.map(([, when = "", rules = ""]) => ({ when, rules }));
  const outside = found.reduce((left, [whole]) => left.replace(whole, ""), bare);
  return [{ when: "", rules: outside }, ...inside].flatMap(({ when, rules }) =>
    [...rules.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, of = "", does = ""]) => ({
      when: when.trim(),
      of: of.trim(),
      does,
    })),
  );
}

test("what stays at the foot of the screen covers no short one", () => {
  const found = globSync("src/**/*.css").flatMap((file) => {
    const rules = rulesOf(readFileSync(file, "utf8"));
    const stays = rules.filter(
      ({ does }) => /position: (sticky|fixed)/.test(does) && /(^|[\s;])bottom:/.test(does),
    );
    const letGo = rules.filter(
      ({ when, does }) => when.includes("(max-height: 480px)") && /position: static/.test(does),
    );
    return stays
      .filter(({ of }) => !letGo.some((rule) => rule.of === of))
      .map(({ of }) => `${file}: ${of}`);
  });
  expect(found).toEqual([]);
});
