import { expect, test } from "vitest";
import { sheetOf } from "./theme-sheet.ts";

test("dark is for screens, and what has no look yet, or is printed, is light", () => {
  const [always = "", onScreens = ""] = sheetOf("p { color: var(--ink); }").split("@media screen");
  expect(always).toMatch(/^:root[^[]*\{[^}]*--ink: #16211f/);
  expect(always).not.toContain("dark");
  expect(onScreens).toMatch(/:root\[data-mantine-color-scheme="dark"\][^{]*\{[^}]*--ink: #edf2f3/);
});
