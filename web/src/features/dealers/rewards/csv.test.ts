import { expect, test } from "vitest";
import { csv } from "./csv";

test.each([
  ["plain", '"plain"'],
  ['two "words"', '"two ""words"""'],
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@a", `"'@a"`],
  [12.5, "12.5"],
])("%s is written so that no spreadsheet runs it", (value, written) => {
  expect(csv([[value]])).toBe(written);
});

test("rows stand on lines of their own", () => {
  expect(
    csv([
      ["a", 1],
      ["b", 2],
    ]),
  ).toBe('"a",1\r\n"b",2');
});
