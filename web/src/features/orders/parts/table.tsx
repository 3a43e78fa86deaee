import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { Status } from "~/shared/ui/status";
import type { OrderCard } from "../queries";
import { STATUS_WORDS, toneOf } from "../words";
import classes from "./table.module.css";

/** Orders in rows; on narrow screens each is a card. */
export function OrdersTable({ orders, busy }: { orders: readonly OrderCard[]; busy: boolean }) {
  const { i18n, t } = useLingui();
  return (
    <table className={classes.table} aria-label={t`Orders`} aria-busy={busy}>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Order</Trans>
          </th>
          <th scope="col">
            <Trans>Date</Trans>
          </th>
          <th scope="col">
            <Trans>PO number</Trans>
          </th>
          <th scope="col">
            <Trans>Status</Trans>
          </th>
          <th scope="col" className={classes.figure}>
            <Trans>Pieces</Trans>
          </th>
          <th scope="col" className={classes.figure}>
            <Trans>Total</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <th scope="row">
              <Link to="/order/{-$id}" params={{ id: order.id }}>
                {order.number}
              </Link>
            </th>
            <td data-label={t`Date`}>{i18n.date(order.created, { dateStyle: "medium" })}</td>
            <td data-label={t`PO number`} className={classes.breaking}>
              {order.poNumber ?? "—"}
            </td>
            <td data-label={t`Status`}>
              <Status tone={toneOf(order.status)}>{i18n._(STATUS_WORDS[order.status])}</Status>
            </td>
            <td data-label={t`Pieces`} className={classes.figure}>
              {i18n.number(order.quantity)}
            </td>
            <td data-label={t`Total`} className={classes.figure}>
              {dollars(i18n, order.total)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
