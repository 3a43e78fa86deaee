import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import { Note } from "~/shared/ui/notes/note";
import type { Changes, LineChange } from "../changes";
import classes from "../checkout.module.css";

type ChangedProps = { changes: Changes; onAgree: () => void; busy?: boolean };

/** What is not as the buyer saw it before. Nothing is ordered until they say yes to it. */
export function Changed({ changes, onAgree, busy = false }: ChangedProps) {
  const { t, i18n } = useLingui();
  const { total } = changes;
  return (
    <section className={classes.changed} aria-label={t`Changes since you looked`}>
      <Note tone="fail">
        <Trans>Prices or stock have changed. Please check your order again.</Trans>
      </Note>
      <ul>
        {changes.lines.map((line) => (
          <li key={line.sku}>
            <b>{line.name}</b>
            <What change={line} />
          </li>
        ))}
        {total ? (
          <li>
            <b>
              <Trans>Total</Trans>
            </b>
            <span>
              <Trans>
                {dollars(i18n, total.after)} instead of {dollars(i18n, total.before)}
              </Trans>
            </span>
          </li>
        ) : null}
      </ul>
      <Button size="md" variant="default" loading={busy} onClick={onAgree}>
        <Trans>Yes, order it like this</Trans>
      </Button>
    </section>
  );
}

function What({ change }: { change: LineChange }): ReactNode {
  const { i18n } = useLingui();
  const { price, parts, gone } = change;
  const shown = (amount: number | null) => (amount === null ? "—" : dollars(i18n, amount));
  return (
    <>
      {price ? (
        <span>
          <Trans>
            {shown(price.after)} instead of {shown(price.before)} a piece
          </Trans>
        </span>
      ) : null}
      {parts ? (
        <span>
          <Trans>
            {parts.now} now, {parts.later} later
          </Trans>
        </span>
      ) : null}
      {gone ? (
        <span>
          <Trans>Cannot be bought any more</Trans>
        </span>
      ) : null}
    </>
  );
}
