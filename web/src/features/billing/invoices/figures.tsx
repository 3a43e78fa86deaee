import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { dayInWords } from "~/shared/time/day";
import { Term, Terms, Totals } from "~/shared/ui/lists/totals";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../documents/documents.module.css";
import type { Invoice } from "./queries";

/** What the invoice comes to, what is open of it, its discount, and where it comes from. */
export function Figures({ invoice }: { invoice: Invoice }) {
  const { i18n, t } = useLingui();
  const coupon = invoice.coupon
    ? { code: invoice.coupon.code, amount: invoice.coupon.amount.amount }
    : undefined;
  return (
    <Panel className={classes.figures} aria-label={t`Totals`}>
      <h2>
        <Trans>Totals</Trans>
      </h2>
      <Totals
        of={{
          subtotal: invoice.subtotalPrice.amount + (coupon?.amount ?? 0),
          coupon,
          shipping: { method: undefined, amount: invoice.shippingPrice.amount },
          taxes: [{ name: t`Tax`, amount: invoice.tax.amount }],
          total: invoice.invoice_total.amount,
        }}
      />
      <Terms>
        <Term name={<Trans>Paid</Trans>}>{dollars(i18n, invoice.paid_against_invoice.amount)}</Term>
        {invoice.discount.amount > 0 ? (
          <Term name={<Trans>Discount for paying now</Trans>}>
            {dollars(i18n, -invoice.discount.amount)}
          </Term>
        ) : null}
        <Term isTotal name={<Trans>To pay</Trans>}>
          {dollars(i18n, invoice.payoffAmount.amount)}
        </Term>
      </Terms>
      <EarlyPay invoice={invoice} />
      <h2>
        <Trans>Details</Trans>
      </h2>
      <Terms>
        {invoice.orderNumber ? (
          <Term name={<Trans>Order</Trans>}>
            {invoice.orderId ? (
              <Link to="/order/{-$id}" params={{ id: invoice.orderId }}>
                {invoice.orderNumber}
              </Link>
            ) : (
              invoice.orderNumber
            )}
          </Term>
        ) : null}
        {invoice.taxNumber ? (
          <Term name={<Trans>Your tax number</Trans>}>{invoice.taxNumber}</Term>
        ) : null}
        {invoice.poNumber ? <Term name={<Trans>PO number</Trans>}>{invoice.poNumber}</Term> : null}
        {invoice.shipmentNumber ? (
          <Term name={<Trans>Shipment</Trans>}>{invoice.shipmentNumber}</Term>
        ) : null}
      </Terms>
    </Panel>
  );
}

/** The discounts that the invoice names; the first alone is granted here (rulings). */
function EarlyPay({ invoice }: { invoice: Invoice }) {
  const { i18n } = useLingui();
  const { early_pay_discount_details: entries, discountUntil } = invoice;
  if (entries.length === 0) return null;
  const lastDay = discountUntil && dayInWords(i18n, discountUntil);
  return (
    <>
      <h2>
        <Trans>Early payment</Trans>
      </h2>
      <Terms>
        {entries.map(({ number_of_days: days, percent, granted }) => (
          <Term key={days} name={<Plural value={days} one="within # day" other="within # days" />}>
            {i18n.number(percent / 100, { style: "percent", maximumFractionDigits: 2 })}
            {", "}
            {granted && lastDay ? (
              <Trans>until the end of {lastDay}</Trans>
            ) : (
              <Trans>not granted here</Trans>
            )}
          </Term>
        ))}
      </Terms>
    </>
  );
}
