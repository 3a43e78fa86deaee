import { expect, test } from "vitest";
import { lasted } from "./lasted";

/** With spaces that may break. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

test.each([
  ["en", 0, "0 sec"],
  ["en", 420, "0.4 sec"],
  ["en", 42_000, "42 sec"],
  ["en", 310_000, "5 min 10 sec"],
  ["en", 7_200_000, "2 hr"],
  ["en", 266_400_000, "3 days 2 hr"],
  ["fr", 310_000, "5 min 10 s"],
])("in %s, %i ms read %s", (language, ms, text) => {
  expect(plain(lasted(language, ms))).toBe(text);
});
