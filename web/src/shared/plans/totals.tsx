import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import classes from "./purchase.module.css";
import type { Sums } from "./types";

/** What a purchase adds up to (shop spec 3, "Purchase totals"), each tax by its name. */
export function Totals({ of }: { of: Sums }) {
  const { i18n } = useLingui();
  const { refunded = 0 } = of;
  return (
    <dl className={classes.totals}>
      <div>
        <dt>
          <Trans>Subtotal</Trans>
        </dt>
        <dd>{dollars(i18n, of.base_amount)}</dd>
      </div>
      {of.currency_discount ? (
        <div>
          <dt>
            <Trans>Discount</Trans>
          </dt>
          <dd>{dollars(i18n, -of.currency_discount)}</dd>
        </div>
      ) : null}
      {of.taxes.length === 0 ? (
        <div>
          <dt>
            <Trans>Tax</Trans>
          </dt>
          <dd>{dollars(i18n, of.base_tax)}</dd>
        </div>
      ) : null}
      {of.taxes.map(({ name, percent, amount }) => (
        <div key={`${name} ${percent}`}>
          <dt>
            {name}{" "}
            {i18n.number(Number(percent) / 100, { style: "percent", maximumFractionDigits: 3 })}
          </dt>
          <dd>{dollars(i18n, amount)}</dd>
        </div>
      ))}
      <div className={classes.sum}>
        <dt>
          <Trans>Total</Trans>
        </dt>
        <dd>{dollars(i18n, of.final_charge)}</dd>
      </div>
      {refunded > 0 ? (
        <div>
          <dt>
            <Trans>Paid back</Trans>
          </dt>
          <dd>{dollars(i18n, -refunded)}</dd>
        </div>
      ) : null}
    </dl>
  );
}
