import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./selected.module.css";
import { deselect, MOST_SELECTED, type Selection, sumOf } from "./selection";

/** What is selected on all pages: how many, what settles them today, what that saves. */
export function Selected({ selection }: { selection: Selection }) {
  const { i18n, t } = useLingui();
  const { count, toPay, discount } = sumOf(selection);
  if (count === 0) return null;
  const saved = dollars(i18n, discount);
  return (
    <Panel className={classes.selected} aria-label={t`Selected invoices`}>
      <p role="status">
        <Trans>
          <Plural value={count} one="# invoice selected:" other="# invoices selected:" />{" "}
          <b>{dollars(i18n, toPay)}</b>
        </Trans>
        {discount > 0 ? (
          <>
            {" "}
            <Trans>with {saved} off</Trans>
          </>
        ) : null}
        {count >= MOST_SELECTED ? (
          <>
            . <Trans>One payment settles no more than {MOST_SELECTED} invoices.</Trans>
          </>
        ) : null}
      </p>
      <Button variant="default" size="md" onClick={() => deselect(selection.keys())}>
        <Trans>Select none</Trans>
      </Button>
      <Button size="md" renderRoot={(props) => <Link {...props} to="/invoice-payment" />}>
        <Trans>Pay</Trans>
      </Button>
    </Panel>
  );
}
