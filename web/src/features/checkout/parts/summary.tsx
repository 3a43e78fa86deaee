import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { wordsFor } from "~/shared/api/error-words";
import type { Problem } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { InReach } from "~/shared/ui/screens/in-reach";
import { Panel } from "~/shared/ui/screens/panel";
import type { Changes } from "../changes";
import classes from "../checkout.module.css";
import type { Quote } from "../types";
import { Changed } from "./changed";
import { Lines } from "./lines";
import { Sums } from "./sums";

type SummaryProps = {
  quote: Quote;
  changes: Changes | undefined;
  /** It is the quote of this cart; until then nobody can say yes to the changes. */
  isFresh: boolean;
  onAgree: () => void;
  isPaid: boolean;
  busy: boolean;
  placing: boolean;
  problem: Problem | undefined;
};

/** Settled by placing the order itself, so not worth a word before. */
const SETTLED_BY_PLACING = new Set([
  "po_number_missing",
  "payment_missing",
  "PARTIAL_PAYMENT_NOT_ALLOWED",
  "AMOUNT_ABOVE_TOTAL",
]);

/** What will be ordered, what it comes to, what speaks against it, and the button. */
export function Summary(props: SummaryProps) {
  const { quote, changes, isFresh, onAgree, isPaid, busy, placing, problem } = props;
  const { t, i18n } = useLingui();
  const against = quote.refusals.filter(({ code }) => !SETTLED_BY_PLACING.has(code));
  const blocked = Boolean(changes) || against.length > 0 || !isPaid;
  // What differs says so itself, once the new figures are there.
  const isTold = problem?.code === "quote_changed" && (placing || changes !== undefined);
  return (
    <Panel className={classes.summary} aria-label={t`Your order`}>
      <div className={classes.head}>
        <h2>
          <Trans>Your order</Trans>
        </h2>
        <Link to="/cart" className={classes.way}>
          <Trans>Change the cart</Trans>
        </Link>
      </div>
      <Lines lines={quote.lines} />
      <Sums of={quote} method={quote.shipping_method?.name} />
      {changes ? <Changed changes={changes} onAgree={onAgree} busy={!isFresh} /> : null}
      {against.map((refusal) => {
        const words = wordsFor(refusal);
        return (
          <Note key={refusal.code} tone="fail">
            {typeof words === "string" ? words : i18n._(words)}
          </Note>
        );
      })}
      {problem && !isTold ? <ProblemNote problem={problem} /> : null}
      <InReach
        total={
          <>
            <Trans>Total</Trans> <b>{dollars(i18n, quote.total)}</b>
          </>
        }
        hint={
          changes ? (
            <Trans>Please look at the changes first.</Trans>
          ) : !isPaid ? (
            <Trans>Please choose a payment method.</Trans>
          ) : placing ? (
            <Trans>Placing your order …</Trans>
          ) : null
        }
      >
        <Button type="submit" size="lg" disabled={blocked || busy} loading={placing}>
          {quote.needs_approval ? <Trans>Ask for approval</Trans> : <Trans>Place order</Trans>}
        </Button>
      </InReach>
    </Panel>
  );
}
