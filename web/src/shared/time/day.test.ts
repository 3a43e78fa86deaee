import { i18n } from "@lingui/core";
import { expect, test } from "vitest";
import { dayInWords } from "./day";

test("a day is told as it is written", () => {
  expect(dayInWords(i18n, "2026-03-01")).toBe("Mar 1, 2026");
  expect(dayInWords(i18n, "2026-12-31")).toBe("Dec 31, 2026");
});
