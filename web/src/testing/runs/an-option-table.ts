import type { OptionRow, OptionTables } from "~/features/activation/option-tables/option-tables";

export function aRow(key: string, more: Partial<OptionRow> = {}): OptionRow {
  return {
    key,
    label: `Option ${key}`,
    kind: "number",
    choices: [],
    minimum: null,
    maximum: null,
    default: 1,
    special: false,
    advanced: false,
    ...more,
  };
}

/** A controller's table of one section. */
export function aTable(rows: OptionRow[], values: Record<string, number>): OptionTables {
  return {
    table: "controller",
    controller: "CMX",
    sections: [{ title: "Remote start", rows }],
    values,
    digest: "d1",
  };
}
