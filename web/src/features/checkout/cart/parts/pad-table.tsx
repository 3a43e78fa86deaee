import { Trans } from "@lingui/react/macro";
import type { PadRow } from "../pad";
import type { Typing } from "../typing";
import classes from "./pad.module.css";
import { PadLine } from "./pad-line";

/** Rows for which names are looked up at a time. */
const MOST_SUGGESTED = 8;

/** All rows; on narrow screens each is a card. */
export function PadTable({ rows, ...typing }: { rows: readonly PadRow[] } & Typing) {
  const unknown = rows.filter(({ judged }) => judged?.verdict === "unknown");
  const suggested = new Set(unknown.slice(0, MOST_SUGGESTED).map(({ id }) => id));
  return (
    <div className={classes.scroll}>
      <table className={classes.pad}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Row</Trans>
            </th>
            <th scope="col">
              <Trans>SKU</Trans>
            </th>
            <th scope="col">
              <Trans>Quantity</Trans>
            </th>
            <th scope="col">
              <Trans>Product</Trans>
            </th>
            <th scope="col">
              <Trans>Total</Trans>
            </th>
            <th scope="col">
              <span className="quiet">
                <Trans>Remove</Trans>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <PadLine
              key={row.id}
              row={row}
              number={place + 1}
              suggests={suggested.has(row.id)}
              {...typing}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
