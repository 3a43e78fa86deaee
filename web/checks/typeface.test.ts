import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const SHEET = readFileSync(resolve("src/app/typeface.css"), "utf8");
/** Bytes of a subset. */
const MOST = 40_000;

test("the one typeface is ours, a subset, and holds no text up", () => {
  const faces = SHEET.match(/@font-face \{[^}]*\}/g) ?? [];
  const [shipped, ...others] = faces.filter((face) => face.includes("url("));
  expect(others).toEqual([]);
  expect(shipped).toMatch(/font-display: swap;/);
  expect(shipped).toMatch(/font-weight: 100 900;/);
  const [, file = ""] = shipped?.match(/url\("([^"]+-latin-[^"]+\.woff2)"\)/) ?? [];
  const require = createRequire(import.meta.url);
  expect(statSync(require.resolve(file)).size).toBeLessThan(MOST);
});

test("what stands before it came is as wide and as tall as it", () => {
  expect(SHEET).toMatch(/font-family: "Before Public Sans";[^}]*size-adjust[^}]*ascent-override/);
});
