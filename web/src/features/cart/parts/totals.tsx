import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Cart } from "~/shared/cart/queries";
import { dollars } from "~/shared/catalogue/money";
import { isKnown } from "~/shared/navigation/routes";
import { Note } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./totals.module.css";

const CHECKOUT = "/cart/checkout/products";

/** What it adds up to, with freight and taxes as they are known now, and the way on. */
export function Totals({ cart }: { cart: Cart }) {
  const { t, i18n } = useLingui();
  const method = cart.currentShippingMethod?.name;
  const area = cart.shippingAddress?.countryArea;
  const shipping = cart.shippingPrice.net.amount;
  const later = cart.lines.some((line) => line.later > 0);
  return (
    <Panel className={classes.totals} aria-label={t`Totals`}>
      <h2>
        <Trans>Totals</Trans>
      </h2>
      <dl>
        <div>
          <dt>
            <Trans>Subtotal</Trans>
          </dt>
          <dd>{dollars(i18n, cart.subtotalPrice.net.amount)}</dd>
        </div>
        <div>
          <dt>{method ? <Trans>Shipping: {method}</Trans> : <Trans>Shipping</Trans>}</dt>
          <dd>
            {!method ? (
              <Trans>at checkout</Trans>
            ) : shipping ? (
              dollars(i18n, shipping)
            ) : (
              <Trans>free</Trans>
            )}
          </dd>
        </div>
        {cart.taxes.map(({ name, percent, amount }) => (
          <div key={name}>
            <dt>
              {name} {i18n.number(percent / 100, { style: "percent", maximumFractionDigits: 3 })}
              {area ? ` (${area})` : ""}
            </dt>
            <dd>{dollars(i18n, amount.amount)}</dd>
          </div>
        ))}
        <div className={classes.sum}>
          <dt>
            <Trans>Total</Trans>
          </dt>
          <dd>{dollars(i18n, cart.totalPrice.gross.amount)}</dd>
        </div>
      </dl>
      <p className={classes.small}>
        <Trans>In US dollars. Taxes by demo rates.</Trans>
      </p>
      {later ? (
        <p className={classes.small}>
          <Trans>What is not on hand is sent later.</Trans>
        </p>
      ) : null}
      {cart.canBeOrdered ? null : (
        <Note tone="wait">
          <Trans>Something in this cart can not be bought. It counts in no total.</Trans>
        </Note>
      )}
      {isKnown(CHECKOUT) && cart.canBeOrdered ? (
        <Link to={CHECKOUT as "/"} className={classes.on}>
          <Trans>Go to checkout</Trans>
        </Link>
      ) : null}
    </Panel>
  );
}
