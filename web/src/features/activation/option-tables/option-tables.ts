import type { Schemas } from "~/shared/api/client";

/** Option tables in the browser: what a typed text means, what was changed. Twin: `domain/devices/option_tables.py`. */

export type OptionTables = Schemas["OptionTables"];
export type TableName = OptionTables["table"];
export type OptionSuggestion = Schemas["OptionSuggestion"];
export type OptionRow = OptionTables["sections"][number]["rows"][number];

/** Row key → what was typed, of the rows that somebody touched. */
export type Typed = Readonly<Record<string, string>>;

/** A row with the section it stands in: labels are unique in their section alone. */
export type Place = { section: string; row: OptionRow };

export type Change = Place & { from: number; to: number };

/** How often a refusal for special rows is answered by asking the device first (devices spec 9). */
export const REQUERY_LIMIT = 2;

const WHOLE = /^-*[0-9]+$/;

/** Why a text is no value of the row, in the spec's words; nothing when it is one. */
export function faultOf(row: OptionRow, text: string): string | undefined {
  const typed = text.trim();
  if (typed === "") return "Required field";
  if (!WHOLE.test(typed) || typed.startsWith("--")) return "Must be a whole number";
  const value = Number(typed);
  if (row.kind === "choice")
    return row.choices.some((choice) => choice.value === value) ? undefined : "Required field";
  if (row.minimum !== null && value < row.minimum) return `Must be at least ${row.minimum}`;
  if (row.maximum !== null && value > row.maximum) return `Must be at most ${row.maximum}`;
  return undefined;
}

export function placesOf(tables: OptionTables): Place[] {
  return tables.sections.flatMap(({ title, rows }) => rows.map((row) => ({ section: title, row })));
}

/** What a row shows: what was typed, or the value that the device has. */
export function textOf(tables: OptionTables, typed: Typed, row: OptionRow): string {
  return typed[row.key] ?? String(tables.values[row.key] ?? row.default);
}

/** Whether what was typed differs from what the device has, well or badly formed. */
export function isChanged(tables: OptionTables, typed: Typed, row: OptionRow): boolean {
  const text = typed[row.key];
  if (text === undefined) return false;
  return text.trim() === "" || Number(text) !== tables.values[row.key];
}

/** The well-formed changes, in the order of the table. */
export function changesOf(tables: OptionTables, typed: Typed): Change[] {
  return placesOf(tables).flatMap(({ section, row }) => {
    const text = typed[row.key];
    if (text === undefined || !isChanged(tables, typed, row) || faultOf(row, text)) return [];
    return [{ section, row, from: tables.values[row.key] ?? row.default, to: Number(text) }];
  });
}

/** Rows whose text is no value. */
export function faultyRows(tables: OptionTables, typed: Typed): Place[] {
  return placesOf(tables).filter(({ row }) => {
    const text = typed[row.key];
    return text !== undefined && faultOf(row, text) !== undefined;
  });
}

export type Filter = { words: string; onlyChanged: boolean; advanced: boolean };

/** The sections with the rows that the filter leaves; empty sections go. */
export function filtered(tables: OptionTables, typed: Typed, filter: Filter) {
  const words = filter.words.trim().toLowerCase();
  return tables.sections
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter(
        (row) =>
          (filter.advanced || !row.advanced) &&
          (!filter.onlyChanged || isChanged(tables, typed, row)) &&
          (words === "" || `${title} ${row.label}`.toLowerCase().includes(words)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
}
