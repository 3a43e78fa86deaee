import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aRow } from "~/testing/runs/an-option-table";
import { faultOf, type OptionRow } from "./option-tables";

type Described = {
  kind: OptionRow["kind"];
  choices?: number[];
  minimum?: number;
  maximum?: number;
};
type Cases = {
  option_rows: Record<string, Described>;
  options: { row: string; value: number; fault: string | null }[];
};

const cases: Cases = JSON.parse(readFileSync("../tests/identity/validation/cases.json", "utf8"));

function rowOf(name: string): OptionRow {
  const described = cases.option_rows[name];
  if (described === undefined) throw new Error(`no row ${name}`);
  const { choices = [], ...bounds } = described;
  return aRow(name, {
    ...bounds,
    choices: choices.map((value) => ({ value, label: String(value) })),
  });
}

test("every option gets the verdict that the server gives", () => {
  const wrong = cases.options.filter(
    ({ row, value, fault }) => (faultOf(rowOf(row), String(value)) ?? null) !== fault,
  );
  expect(wrong).toEqual([]);
  expect(cases.options.length).toBeGreaterThan(30);
});
