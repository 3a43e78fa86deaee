import { Plural, useLingui } from "@lingui/react/macro";
import type { Schemas } from "~/shared/api/client";
import { dollars } from "~/shared/catalogue/money";
import type { InvoiceStatus } from "./address";
import classes from "./ageing.module.css";
import { STATUS_WORDS } from "./words";

type AgeingTotalsProps = {
  totals: readonly Schemas["AgeingOut"][];
  chosen: InvoiceStatus | undefined;
  onChoose: (bucket: InvoiceStatus | undefined) => void;
};

/** What the business has open, by how long it is past due. A press shows those invoices alone, another one all again. */
export function AgeingTotals({ totals, chosen, onChoose }: AgeingTotalsProps) {
  const { i18n, t } = useLingui();
  return (
    <fieldset className={classes.totals} aria-label={t`Open by age`}>
      {totals.map(({ bucket, count, amount }) => (
        <button
          key={bucket}
          type="button"
          aria-pressed={chosen === bucket}
          onClick={() => onChoose(chosen === bucket ? undefined : bucket)}
        >
          <span>{i18n._(STATUS_WORDS[bucket])}</span> <b>{dollars(i18n, amount.amount)}</b>{" "}
          <small>
            <Plural value={count} one="# invoice" other="# invoices" />
          </small>
        </button>
      ))}
    </fieldset>
  );
}
