import { readFileSync } from "node:fs";
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { type Column, DataTable } from "./data-table";

type Part = { sku: string; pieces: number };

const PARTS: readonly Part[] = [
  { sku: "A-1", pieces: 4 },
  { sku: "B-2", pieces: 12 },
];
const COLUMNS: readonly Column<Part>[] = [
  { head: "SKU", as: "code", names: true, cell: ({ sku }) => <a href={`#${sku}`}>{sku}</a> },
  { head: "Pieces", as: "figure", cell: ({ pieces }) => pieces },
];

function shown(rows: readonly Part[] | undefined, toCome?: number) {
  return show(
    <DataTable
      label="Parts"
      columns={COLUMNS}
      rows={rows}
      toCome={toCome}
      keyOf={({ sku }) => sku}
      empty={<p>No parts.</p>}
    />,
  );
}

test("each row is named by its first value, and its figures stand under their heads", () => {
  shown(PARTS);
  const table = within(screen.getByRole("table", { name: "Parts" }));
  expect(table.getAllByRole("columnheader").map((one) => one.textContent)).toEqual([
    "SKU",
    "Pieces",
  ]);
  expect(table.getByRole("rowheader", { name: "B-2" })).toBeVisible();
  expect(table.getByRole("row", { name: "A-1 4" })).toBeVisible();
  expect(table.getByRole("cell", { name: "12" })).toHaveAttribute("data-label", "Pieces");
});

test("rows to come are drawn in a table that is busy, and hold nothing to read", () => {
  shown(undefined);
  const table = screen.getByRole("table", { name: "Parts" });
  expect(table).toHaveAttribute("aria-busy", "true");
  expect(within(table).getAllByRole("row").length).toBeGreaterThan(2);
  expect(table).toHaveTextContent(/^SKUPieces$/);
});

test("a list that knows how many come draws as many", () => {
  shown(undefined, 8);
  expect(within(screen.getByRole("table", { name: "Parts" })).getAllByRole("row")).toHaveLength(9);
});

test("what is said of no rows stands in the place of the table", () => {
  shown([]);
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.getByText("No parts.")).toBeVisible();
});

test("the head stays in view under the bar, rows are 44 px, and cards of a phone name each value", () => {
  const [wide = "", phone = ""] = readFileSync(
    "src/shared/ui/lists/data-table.module.css",
    "utf8",
  ).split("@media (max-width: 740px)");
  const rule = (of: string, sheet: string) =>
    sheet.split(`${of} {`)[1]?.split("}", 1)[0]?.replace(/\s+/g, " ");
  expect(rule(".table thead th", wide)).toContain("position: sticky; top: var(--under-bar);");
  expect(rule(".table td", wide)).toContain("height: 44px;");
  expect(rule(".table tbody > tr", phone)).toContain("display: block;");
  expect(rule(".table tbody td::before", phone)).toContain("content: attr(data-label);");
  shown(PARTS);
  const [, pieces] = screen.getAllByRole("row")[1]?.querySelectorAll("th, td") ?? [];
  expect(pieces).toHaveAttribute("data-label", "Pieces");
});
