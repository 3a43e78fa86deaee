import { i18n } from "@lingui/core";
import { expect, test } from "vitest";
import { dayInWords, momentInFigures } from "./day";

test("a day is told as it is written", () => {
  expect(dayInWords(i18n, "2026-03-01")).toBe("Mar 1, 2026");
  expect(dayInWords(i18n, "2026-12-31")).toBe("Dec 31, 2026");
});

test("a moment in figures has its month before its day, and the whole year", () => {
  const told = momentInFigures(i18n, "2026-03-01T15:04:05");
  expect(told.replaceAll("\u202f", " ")).toBe("03/01/2026, 3:04:05 PM");
});
