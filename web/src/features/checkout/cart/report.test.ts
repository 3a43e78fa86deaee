import { expect, test } from "vitest";
import { toCsv } from "./report";

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-5", "'-5"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["AB-1", "AB-1"],
  ['7" bolt', '"7"" bolt"'],
  ["a,b", '"a,b"'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
])("the cell %j is written %j", (text, written) => {
  expect(toCsv([[text]])).toBe(`\ufeff${written}\r\n`);
});

test("rows end as spreadsheets expect", () => {
  expect(
    toCsv([
      ["a", "b"],
      ["c", "d"],
    ]),
  ).toBe("\ufeffa,b\r\nc,d\r\n");
});
