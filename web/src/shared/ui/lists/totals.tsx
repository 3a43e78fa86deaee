import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import classes from "./totals.module.css";

/** What something adds up to, in dollars. */
export type Figures = {
  subtotal: number;
  discount?: number;
  coupon?: { code: string; amount: number };
  /** Without an amount it is settled later. */
  shipping?: { method: string | undefined; amount: number | undefined };
  /** Where the taxes are due. */
  area?: string;
  taxes: readonly { name: string; percent?: number | string; amount: number }[];
  total: number;
  refunded?: number;
  /** What of the total was given back, each with its moment. */
  givenBack?: readonly { at: string; amount: number }[];
};

/** The taxes that the server names. */
const TAXES: Readonly<Record<string, MessageDescriptor>> = {
  GST: msg`GST`,
  HST: msg`HST`,
  PST: msg`PST`,
  QST: msg`QST`,
  "Sales tax": msg`Sales tax`,
};

/** The figures below each other, each tax by its name, with the total at the end. */
export function Totals({ of }: { of: Figures }) {
  const { i18n } = useLingui();
  const called = (name: string) => (TAXES[name] ? i18n._(TAXES[name]) : name);
  const rated = (name: string, percent: number | string) =>
    `${called(name)} ${i18n.number(Number(percent) / 100, { style: "percent", maximumFractionDigits: 3 })}${
      of.area ? ` (${of.area})` : ""
    }`;
  return (
    <Terms>
      <Term name={<Trans>Subtotal</Trans>}>{dollars(i18n, of.subtotal)}</Term>
      {of.discount ? (
        <Term name={<Trans>Discount</Trans>}>{dollars(i18n, -of.discount)}</Term>
      ) : null}
      {of.coupon ? <Coupon {...of.coupon} /> : null}
      {of.shipping ? <Shipping {...of.shipping} /> : null}
      {of.taxes.map(({ name, percent, amount }) => (
        <Term
          key={`${name} ${percent}`}
          name={percent === undefined ? called(name) : rated(name, percent)}
        >
          {dollars(i18n, amount)}
        </Term>
      ))}
      <Term isTotal name={<Trans>Total</Trans>}>
        {dollars(i18n, of.total)}
      </Term>
      {of.refunded ? (
        <Term name={<Trans>Paid back</Trans>}>{dollars(i18n, -of.refunded)}</Term>
      ) : null}
      {of.givenBack?.map(({ at, amount }) => (
        <RefundLine key={at} day={i18n.date(at, { dateStyle: "medium" })}>
          {dollars(i18n, -amount)}
        </RefundLine>
      ))}
    </Terms>
  );
}

/** What stands below figures whose taxes are ours. */
export function DemoTaxes() {
  return (
    <p className={classes.demo}>
      <Trans>In US dollars. Taxes by demo rates.</Trans>
    </p>
  );
}

function RefundLine({ day, children }: { day: string; children: ReactNode }) {
  return <Term name={<Trans>Paid back on {day}</Trans>}>{children}</Term>;
}

function Coupon({ code, amount }: NonNullable<Figures["coupon"]>) {
  const { i18n } = useLingui();
  return <Term name={<Trans>Coupon {code}</Trans>}>{dollars(i18n, -amount)}</Term>;
}

function Shipping({ method, amount }: NonNullable<Figures["shipping"]>) {
  const { i18n } = useLingui();
  return (
    <Term name={method ? <Trans>Shipping: {method}</Trans> : <Trans>Shipping</Trans>}>
      {amount === undefined ? (
        <Trans>at checkout</Trans>
      ) : amount === 0 ? (
        <Trans>Free</Trans>
      ) : (
        dollars(i18n, amount)
      )}
    </Term>
  );
}

export function Terms({ children }: { children: ReactNode }) {
  return <dl className={classes.terms}>{children}</dl>;
}

type TermProps = { name: ReactNode; children: ReactNode; isTotal?: boolean };

/** A name at the left, its value at the right. */
export function Term({ name, children, isTotal = false }: TermProps) {
  return (
    <div className={isTotal ? classes.total : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
