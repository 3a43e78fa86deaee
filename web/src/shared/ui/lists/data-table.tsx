import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export type Column<Row> = {
  head: string;
  cell: (row: Row, place: number) => ReactNode;
  /** Figures stand at the right, codes in the typeface of codes; what is whole stands in one line; of controls nothing but them
   * stands there. */
  as?: "figure" | "code" | "whole" | "controls";
  /** Its values name the rows. A link among them opens its row from anywhere in it. */
  names?: boolean;
};

type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  /** None yet: the rows to come are drawn. */
  rows: readonly Row[] | undefined;
  /** How many are to come, where the list knows. */
  toCome?: number | undefined;
  keyOf: (row: Row, place: number) => string | number;
  /** What is shown is being asked for anew. */
  busy?: boolean;
  /** Stands in the place of a table without rows. */
  empty?: ReactNode;
};

const ROWS_TO_COME = 5;

/** Rows under a head that stays in view; on narrow screens each row is a card of labels and values. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, toCome = ROWS_TO_COME, busy = false, empty = null } = props;
  if (rows?.length === 0) return empty;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label} aria-busy={busy || !rows}>
        <thead>
          <tr>
            {columns.map(({ head, as }) => (
              <th key={head} scope="col" className={as === "figure" ? classes.figure : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row, place) => (
                <tr key={keyOf(row, place)}>
                  {columns.map((column) => (
                    <Cell key={column.head} column={column}>
                      {column.cell(row, place)}
                    </Cell>
                  ))}
                </tr>
              ))
            : Array.from({ length: toCome }, (_, place) => String(place)).map((place) => (
                <tr key={place} className={classes.toCome}>
                  {columns.map((column) => (
                    <Cell key={column.head} column={column}>
                      <Skeleton height={16} width="80%" />
                    </Cell>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

type CellProps = { column: Omit<Column<never>, "cell">; children: ReactNode };

function Cell({ column: { head, as, names }, children }: CellProps) {
  const look = as && classes[as];
  const value = <div className={classes.value}>{children}</div>;
  if (names) {
    return (
      <th scope="row" className={[classes.name, look].filter(Boolean).join(" ")}>
        {value}
      </th>
    );
  }
  return (
    <td data-label={head} className={look}>
      {value}
    </td>
  );
}
