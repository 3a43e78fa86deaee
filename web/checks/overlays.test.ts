import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Parts whose sheets no page has: `src/shared/ui/dialogs/overlays.ts` does. */
const PARTS = /\b(ActionIcon|Menu|Modal|Overlay|Popover|ScrollArea)\b/;
const FROM_MANTINE = /import \{([^}]*)\} from "@mantine\/core";/;
const SHEETS = /(import|from) "[^"]*\/(overlays|below)";/;

/** Whether a file draws one of them without its sheet. */
function bare(text: string): boolean {
  const taken = FROM_MANTINE.exec(text)?.[1]?.replace(/\btype \w+/g, "") ?? "";
  return PARTS.test(taken) && !SHEETS.test(text);
}

test("what opens over a page comes with its sheet", () => {
  const files = globSync("src/**/*.tsx").filter((file) => !file.endsWith(".test.tsx"));
  const drawing = files.filter((file) => PARTS.test(readFileSync(file, "utf8")));
  expect(drawing.length).toBeGreaterThan(5);
  expect(drawing.filter((file) => bare(readFileSync(file, "utf8")))).toEqual([]);
});

test("one without it is found", () => {
  const menu = 'import { Button, Menu } from "@mantine/core";';
  expect(bare(menu)).toBe(true);
  expect(bare(`${menu}\nimport { Standing } from "~/shared/ui/dialogs/below";`)).toBe(false);
  expect(bare(`${menu}\nimport "./overlays";`)).toBe(false);
  expect(bare('import { Button, type MenuProps } from "@mantine/core";')).toBe(false);
});
