import { expect, test } from "vitest";
import { aRow, aTable } from "~/testing/runs/an-option-table";
import { changesOf, faultOf, faultyRows, filtered, isChanged } from "./option-tables";

const runtime = aRow("runtime", {
  kind: "choice",
  choices: [3, 15, 25, 45].map((value) => ({ value, label: `${value} min` })),
  default: 15,
});
const cmx = aRow("cmx", { kind: "minutes", minimum: 3, maximum: 45, default: 15 });
const pulse = aRow("pulse", { kind: "seconds", minimum: 1, maximum: 99, default: 5 });
const hidden = aRow("hidden", { kind: "number", minimum: 1, maximum: 7, advanced: true });

test.each([
  [runtime, "25", undefined],
  [runtime, "10", "Required field"],
  [cmx, "3", undefined],
  [cmx, "2", "Must be at least 3"],
  [cmx, "46", "Must be at most 45"],
  [pulse, " 99 ", undefined],
  [pulse, "100", "Must be at most 99"],
  [pulse, "0", "Must be at least 1"],
  [pulse, "-1", "Must be at least 1"],
  [pulse, "1.5", "Must be a whole number"],
  [pulse, "five", "Must be a whole number"],
  [pulse, "--5", "Must be a whole number"],
  [pulse, "", "Required field"],
])("row %o takes %s: %s", (row, text, fault) => {
  expect(faultOf(row, text)).toBe(fault);
});

const table = aTable([runtime, cmx, pulse, hidden], { runtime: 15, cmx: 15, pulse: 5, hidden: 1 });

test("only what differs from the device is a change, and only when it is well formed", () => {
  const typed = { runtime: "25", cmx: "15", pulse: "500" };
  expect(changesOf(table, typed)).toEqual([
    { section: "Remote start", row: runtime, from: 15, to: 25 },
  ]);
  expect(faultyRows(table, typed)).toEqual([{ section: "Remote start", row: pulse }]);
  expect(isChanged(table, typed, cmx)).toBe(false);
  expect(isChanged(table, typed, pulse)).toBe(true);
});

test("search, only what was changed, and the advanced rows narrow the table", () => {
  const keys = (filter: Partial<Parameters<typeof filtered>[2]>, typed = {}) =>
    filtered(table, typed, { words: "", onlyChanged: false, advanced: false, ...filter }).flatMap(
      ({ rows }) => rows.map((row) => row.key),
    );
  expect(keys({})).toEqual(["runtime", "cmx", "pulse"]);
  expect(keys({ advanced: true })).toContain("hidden");
  expect(keys({ words: "PUL" })).toEqual(["pulse"]);
  expect(keys({ onlyChanged: true }, { cmx: "20" })).toEqual(["cmx"]);
  expect(keys({ words: "nothing like it" })).toEqual([]);
});
