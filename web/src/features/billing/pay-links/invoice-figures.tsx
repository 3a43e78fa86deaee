import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { dayInWords } from "~/shared/time/day";
import { Term, Terms } from "~/shared/ui/lists/totals";
import classes from "./guest.module.css";
import type { InvoiceSeen } from "./queries";

/** What the invoice is for, and what settles it now. */
export function InvoiceFigures({ seen }: { seen: InvoiceSeen }) {
  const { i18n } = useLingui();
  const issued = dayInWords(i18n, seen.createDate);
  const due = dayInWords(i18n, seen.dueDate);
  const until = seen.discountUntil ? dayInWords(i18n, seen.discountUntil) : "";
  return (
    <>
      <p>
        <Trans>
          Issued on {issued}, due on {due}
        </Trans>
      </p>
      {seen.lines.length > 0 ? (
        <ul className={classes.lines}>
          {seen.lines.map(({ name, quantity, total }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
            <li key={place}>
              <span>
                {i18n.number(quantity)} × {name}
              </span>
              <span>{dollars(i18n, total)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <Terms>
        <Term name={<Trans>Total</Trans>}>{dollars(i18n, seen.total)}</Term>
        {seen.paid > 0 ? (
          <Term name={<Trans>Paid already</Trans>}>{dollars(i18n, seen.paid)}</Term>
        ) : null}
        {seen.discount > 0 ? (
          <Term name={<Trans>Discount until the end of {until}</Trans>}>
            {dollars(i18n, -seen.discount)}
          </Term>
        ) : null}
        <Term isTotal name={<Trans>To pay</Trans>}>
          {dollars(i18n, seen.state === "paid" ? 0 : seen.amount)}
        </Term>
      </Terms>
    </>
  );
}
