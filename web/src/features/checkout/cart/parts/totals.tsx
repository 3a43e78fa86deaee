import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Cart } from "~/shared/cart/queries";
import { isKnown } from "~/shared/navigation/routes";
import { useSession, workOf } from "~/shared/session/session";
import { DemoTaxes, Totals } from "~/shared/ui/lists/totals";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./totals.module.css";

const CHECKOUT = "/cart/checkout/products";

/** What it adds up to, with freight and taxes as they are known now, and the way on. */
export function CartTotals({ cart }: { cart: Cart }) {
  const { t } = useLingui();
  const business = workOf(useSession())?.business?.company_name;
  const method = cart.currentShippingMethod?.name;
  const { taken } = cart.coupons;
  const later = cart.lines.some((line) => line.later > 0);
  return (
    <Panel className={classes.totals} aria-label={t`Totals`}>
      <h2>
        <Trans>Totals</Trans>
      </h2>
      <Totals
        of={{
          subtotal: cart.subtotalPrice.net.amount,
          coupon: taken ? { code: taken.code, amount: taken.amount.amount } : undefined,
          shipping: { method, amount: method ? cart.shippingPrice.net.amount : undefined },
          area: cart.shippingAddress?.countryArea,
          taxes: cart.taxes.map((tax) => ({ ...tax, amount: tax.amount.amount })),
          total: cart.totalPrice.gross.amount,
        }}
      />
      <DemoTaxes />
      {later ? (
        <p className={classes.small}>
          <Trans>What is not on hand is sent later.</Trans>
        </p>
      ) : null}
      {cart.canBeOrdered ? null : (
        <Note tone="wait">
          <Trans>Something in this cart cannot be bought. It counts in no total.</Trans>
        </Note>
      )}
      {isKnown(CHECKOUT) && cart.canBeOrdered ? (
        <Link to={CHECKOUT as "/"} className={classes.on}>
          {business ? <Trans>Check out · {business}</Trans> : <Trans>Check out</Trans>}
        </Link>
      ) : null}
    </Panel>
  );
}
