import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import { Panel } from "~/shared/ui/panel";
import type { Order } from "../queries";
import classes from "./sums.module.css";

/** What it comes to, how it is paid, and the numbers that others know it by. */
export function Sums({ order }: { order: Order }) {
  const { t, i18n } = useLingui();
  const method = order.shippingMethodName;
  const shipping = order.shippingPrice.net.amount;
  return (
    <Panel className={classes.sums} aria-label={t`Totals`}>
      <h2>
        <Trans>Totals</Trans>
      </h2>
      <dl>
        <Row term={<Trans>Subtotal</Trans>}>{dollars(i18n, order.subtotalPrice.net.amount)}</Row>
        <Row term={<Trans>Shipping: {method}</Trans>}>
          {shipping ? dollars(i18n, shipping) : <Trans>free</Trans>}
        </Row>
        {order.taxes.map(({ name, percent, amount }) => (
          <Row
            key={name}
            term={`${name} ${i18n.number(percent / 100, { style: "percent", maximumFractionDigits: 3 })}`}
          >
            {dollars(i18n, amount.amount)}
          </Row>
        ))}
        <Row term={<Trans>Total</Trans>} strong>
          {dollars(i18n, order.totalPrice.gross.amount)}
        </Row>
      </dl>
      <h2>
        <Trans>Details</Trans>
      </h2>
      <dl>
        <Row term={<Trans>Payment</Trans>}>{order.paymentMethod.shown}</Row>
        {order.poNumber ? <Row term={<Trans>PO number</Trans>}>{order.poNumber}</Row> : null}
        {order.erpNumber ? (
          <Row term={<Trans>Order desk number</Trans>}>{order.erpNumber}</Row>
        ) : null}
        {order.invoiceNumber ? (
          <Row term={<Trans>Invoice</Trans>}>{order.invoiceNumber}</Row>
        ) : null}
      </dl>
    </Panel>
  );
}

function Row({
  term,
  strong,
  children,
}: {
  term: ReactNode;
  strong?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={strong ? classes.strong : undefined}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
