import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import classes from "../checkout.module.css";

type Figures = {
  subtotal: number;
  discount?: number;
  freight: number;
  taxes: readonly { name: string; percent: string | number; amount: number }[];
  total: number;
};

/** What an order comes to. */
export function Sums({ of, method }: { of: Figures; method: string | undefined }) {
  const { i18n } = useLingui();
  const percent = (value: string | number) =>
    i18n.number(Number(value) / 100, { style: "percent", maximumFractionDigits: 3 });
  return (
    <>
      <dl className={classes.sums}>
        <Sum label={<Trans>Subtotal</Trans>}>{dollars(i18n, of.subtotal)}</Sum>
        <Sum label={method ? <Trans>Shipping: {method}</Trans> : <Trans>Shipping</Trans>}>
          {of.freight === 0 ? <Trans>Free</Trans> : dollars(i18n, of.freight)}
        </Sum>
        {of.taxes.map((tax) => (
          <Sum
            key={tax.name}
            label={
              <>
                {tax.name} {percent(tax.percent)}
              </>
            }
          >
            {dollars(i18n, tax.amount)}
          </Sum>
        ))}
        <Sum isTotal label={<Trans>Total</Trans>}>
          {dollars(i18n, of.total)}
        </Sum>
      </dl>
      {of.discount ? (
        <p className={classes.soft}>
          <Trans>You save {dollars(i18n, of.discount)} on the list prices.</Trans>
        </p>
      ) : null}
      <p className={classes.soft}>
        <Trans>In US dollars. Taxes by demo rates.</Trans>
      </p>
    </>
  );
}

type SumProps = { label: ReactNode; children: ReactNode; isTotal?: boolean };

function Sum({ label, children, isTotal = false }: SumProps) {
  return (
    <div className={isTotal ? classes.total : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
