import { expect, test } from "vitest";
import {
  afterOrder,
  aRow,
  type CheckedRow,
  isBlank,
  padOf,
  pasted,
  roundedUp,
  rowsOfPaste,
  textOf,
  withListed,
  withVerdicts,
} from "./pad";

const verdict = (row: number, more: Partial<CheckedRow> = {}): CheckedRow => ({
  row,
  sku: `S${row}`,
  quantity: "1",
  verdict: "ready",
  pieces: 1,
  merged_into: null,
  is_alias: false,
  found_sku: null,
  product_id: null,
  name: null,
  case_quantity: null,
  later: 0,
  pricing: null,
  total: null,
  ...more,
});

test("blank rows are not sent, a SKU alone means one, and quotes are doubled", () => {
  const rows = [aRow("AB-1", "2"), aRow(), aRow(' 7" bolt ', ""), aRow("", "5")];
  expect(textOf(rows)).toBe('"AB-1","2"\n"7"" bolt","1"\n"","5"');
});

test("a verdict lands on its row, whatever blank rows lie between", () => {
  const rows = withVerdicts(
    [aRow(), aRow("A", "1"), aRow(), aRow("B", "x")],
    [verdict(1), verdict(2, { verdict: "bad_quantity" })],
  );
  expect(rows.map((row) => row.judged?.verdict)).toEqual([
    undefined,
    "ready",
    undefined,
    "bad_quantity",
  ]);
});

test("the rows of a file keep their verdicts, though headings and gaps were left out", () => {
  const rows = padOf([verdict(2, { sku: "A" }), verdict(7, { sku: "B", verdict: "unknown" })]);
  expect(rows.map(({ sku, judged }) => [sku, judged?.verdict])).toEqual([
    ["A", "ready"],
    ["B", "unknown"],
  ]);
});

test.each([
  [
    "A-1\t2\nB-2\t3\n",
    [
      ["A-1", "2"],
      ["B-2", "3"],
    ],
  ],
  [
    "A-1;2\r\n\r\nB-2;3",
    [
      ["A-1", "2"],
      ["B-2", "3"],
    ],
  ],
  ['"A-1","2"', [["A-1", "2"]]],
  ["A-1  12", [["A-1", "12"]]],
  ["A-1", [["A-1", ""]]],
])("%j is read as rows", (text, expected) => {
  expect(rowsOfPaste(text).map(({ sku, quantity }) => [sku, quantity])).toEqual(expected);
});

test("what is pasted comes where the cursor was, and nothing typed is lost", () => {
  const rows = [aRow("X", "1"), aRow(), aRow("Y", "2"), aRow()];
  const next = pasted(rows, 1, [aRow("A", "1"), aRow("B", "1")]);
  expect(next.map(({ sku }) => sku)).toEqual(["X", "A", "B", "Y", ""]);
  expect(next.filter(isBlank)).toHaveLength(1);
});

test.each([
  ["8", { pieces: 8, case_quantity: 10 }, 10],
  ["", { pieces: 1, case_quantity: 5 }, 5],
  ["8", { pieces: 12, case_quantity: 10 }, 16], // four of them stand in a later row
  ["many", { pieces: 8, case_quantity: 10 }, undefined],
  ["10", { pieces: 10, case_quantity: null }, undefined],
])("%s, judged as %j, is rounded up to %s", (quantity, judged, expected) => {
  expect(roundedUp({ ...aRow("A", quantity), judged: verdict(1, judged) })).toBe(expected);
});

test("a saved list comes after what is typed", () => {
  const rows = withListed([aRow(), aRow("X", "1")], [{ sku: "A", quantity: 3 }]);
  expect(rows.map(({ sku, quantity }) => [sku, quantity])).toEqual([
    ["X", "1"],
    ["A", "3"],
    ["", ""],
  ]);
});

test("after an order stays what was refused, and what was typed while it was under way", () => {
  const [added, refused, changed, blank] = [aRow("A", "1"), aRow("B", "1"), aRow("C", "1"), aRow()];
  const sent = [added, refused, changed, blank];
  const present = [added, refused, { ...changed, quantity: "7" }, { ...blank, sku: "D" }];
  const verdicts = [verdict(1), verdict(2, { verdict: "unknown" }), verdict(3)];
  const left = afterOrder(present, sent, verdicts);
  expect(left.map(({ sku, quantity, judged }) => [sku, quantity, judged?.verdict])).toEqual([
    ["B", "1", "unknown"],
    ["C", "7", undefined],
    ["D", "", undefined],
    ["", "", undefined],
  ]);
  expect(afterOrder([added], [added], [verdict(1)]).every(isBlank)).toBe(true);
});
