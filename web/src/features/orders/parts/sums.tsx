import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { paidBy } from "~/shared/payments/method-words";
import { DemoTaxes, Term, Terms, Totals } from "~/shared/ui/lists/totals";
import { Panel } from "~/shared/ui/screens/panel";
import { invoicesOf } from "../invoices";
import type { Order } from "../queries";
import classes from "./sums.module.css";

/** What it comes to, how it is paid, and the numbers that others know it by. */
export function Sums({ order }: { order: Order }) {
  const { t, i18n } = useLingui();
  return (
    <Panel className={classes.sums} aria-label={t`Totals`}>
      <h2>
        <Trans>Totals</Trans>
      </h2>
      <Totals
        of={{
          subtotal: order.subtotalPrice.net.amount,
          coupon: order.coupon
            ? { code: order.coupon.code, amount: order.coupon.amount.amount }
            : undefined,
          shipping: {
            method: order.shippingMethodName,
            amount: order.shippingPrice.net.amount,
          },
          taxes: order.taxes.map((tax) => ({ ...tax, amount: tax.amount.amount })),
          total: order.totalPrice.gross.amount,
          givenBack: order.givenBack,
        }}
      />
      <DemoTaxes />
      <h2>
        <Trans>Details</Trans>
      </h2>
      <Terms>
        <Term name={<Trans>Payment</Trans>}>{paidBy(order.paymentMethod.shown, i18n)}</Term>
        {order.poNumber ? <Term name={<Trans>PO number</Trans>}>{order.poNumber}</Term> : null}
        {order.erpNumber ? (
          <Term name={<Trans>Order desk number</Trans>}>{order.erpNumber}</Term>
        ) : null}
        {invoicesOf(order).map((number) => (
          <Term key={number} name={<Trans>Invoice</Trans>}>
            <Link to="/invoice/{-$id}" params={{ id: number }}>
              {number}
            </Link>
          </Term>
        ))}
      </Terms>
    </Panel>
  );
}
