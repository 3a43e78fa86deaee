import type { Schemas } from "~/shared/api/client";

export type CheckedRow = Schemas["CheckedRowOut"];

/** A row of the quick order as it is typed; `judged` is the server's word on just these texts. */
export type PadRow = { id: number; sku: string; quantity: string; judged?: CheckedRow };

export const MOST_ROWS = 1000;
const FIRST_ROWS = 6;

let last = 0;

export function aRow(sku = "", quantity = ""): PadRow {
  last += 1;
  return { id: last, sku, quantity };
}

export function emptyPad(): PadRow[] {
  return Array.from({ length: FIRST_ROWS }, () => aRow());
}

export function isBlank({ sku, quantity }: PadRow): boolean {
  return !sku.trim() && !quantity.trim();
}

/** What is sent: one line for each row that holds anything. A SKU without a number means one piece. */
export function textOf(rows: readonly PadRow[]): string {
  return rows
    .filter((row) => !isBlank(row))
    .map(({ sku, quantity }) => `${cell(sku)},${cell(quantity.trim() || "1")}`)
    .join("\n");
}

/** The rows with the verdicts on them. Verdicts name the lines of `textOf`. */
export function withVerdicts(rows: readonly PadRow[], verdicts: readonly CheckedRow[]): PadRow[] {
  const byLine = new Map(verdicts.map((verdict) => [verdict.row, verdict]));
  let line = 0;
  return rows.map((row) => {
    if (isBlank(row)) return { ...row, judged: undefined };
    line += 1;
    return { ...row, judged: byLine.get(line) };
  });
}

/** The rows of a file as the server read them. */
export function padOf(verdicts: readonly CheckedRow[]): PadRow[] {
  const rows = verdicts.map(({ sku, quantity }) => aRow(sku, quantity));
  return withVerdicts(
    rows,
    verdicts.map((verdict, place) => ({ ...verdict, row: place + 1 })),
  );
}

/** Lines of a sheet or of a mail as rows: SKU and number are parted by a tab, a mark or blanks. */
export function rowsOfPaste(text: string): PadRow[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim())
    .map((line) => {
      const [sku = "", quantity = ""] = line.trim().split(/\s*[\t;,]\s*|\s+/);
      return aRow(unquoted(sku), unquoted(quantity));
    });
}

/** Puts rows in place of those from `at` on that hold nothing, and before the others. */
export function pasted(rows: readonly PadRow[], at: number, more: readonly PadRow[]): PadRow[] {
  const before = rows.slice(0, at).filter((row) => !isBlank(row));
  const after = rows.slice(at).filter((row) => !isBlank(row));
  return [...before, ...more, ...after, aRow()];
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1").replaceAll('""', '"');
}

/** The number that fills the last case of the row's article: what later rows add is counted with it. */
export function roundedUp({ quantity, judged }: PadRow): number | undefined {
  const own = Number(quantity.trim() || "1");
  if (!judged?.case_quantity || !Number.isInteger(own)) return undefined;
  const missing = judged.case_quantity - (judged.pieces % judged.case_quantity);
  return own + missing;
}

/** Rows of a saved list, after those that hold anything. */
export function withListed(
  rows: readonly PadRow[],
  listed: readonly { sku: string; quantity: number }[],
): PadRow[] {
  const held = rows.filter((row) => !isBlank(row));
  return [...held, ...listed.map(({ sku, quantity }) => aRow(sku, String(quantity))), aRow()];
}

/**
 * The pad once `sent` was ordered: of what was sent the rows that could not be added, with why, and whatever was typed since,
 * as it stands.
 */
export function afterOrder(
  present: readonly PadRow[],
  sent: readonly PadRow[],
  verdicts: readonly CheckedRow[],
): PadRow[] {
  const ordered = new Map(withVerdicts(sent, verdicts).map((row) => [row.id, row]));
  const left = present.flatMap((row) => {
    if (isBlank(row)) return [];
    const was = ordered.get(row.id);
    if (!was || was.sku !== row.sku || was.quantity !== row.quantity) return [row];
    return was.judged && isLeft(was.judged) ? [was] : [];
  });
  return left.length > 0 ? [...left, aRow()] : emptyPad();
}

function isLeft({ verdict }: CheckedRow): boolean {
  return verdict !== "ready" && verdict !== "merged";
}

/** Always quoted, so that no text is taken for a heading, a mark or a blank. */
function cell(text: string): string {
  return `"${text.trim().replace(/\s+/g, " ").replaceAll('"', '""')}"`;
}
