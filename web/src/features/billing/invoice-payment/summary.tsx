import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { MethodChoice } from "~/shared/payments/method-choice";
import type { PaymentChoice } from "~/shared/payments/types";
import { clock, useNow } from "~/shared/time/age";
import { Term, Terms } from "~/shared/ui/lists/totals";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { InReach } from "~/shared/ui/screens/in-reach";
import { Panel } from "~/shared/ui/screens/panel";
import { deselect } from "../invoices/selection";
import { payerOf } from "./payer";
import classes from "./payment.module.css";
import { payInvoices } from "./queries";
import type { Quoted } from "./types";

const DAY = 86_400;

type SummaryProps = {
  quoted: Quoted;
  /** An amount is none: what is quoted is not what was typed. */
  isFaulty: boolean;
  busy: boolean;
  onStale: () => void;
};

/** What the mock run says it comes to, how it is paid, and the button that pays it. */
export function Summary({ quoted, isFaulty, busy, onStale }: SummaryProps) {
  const { i18n, t } = useLingui();
  const navigate = useNavigate();
  const [choice, setChoice] = useState<PaymentChoice>();
  const sending = useSend<string>();
  const payer = payerOf(choice);
  const good = quoted.invoices.filter(({ allocation }) => allocation !== null);
  const left = quoted.invoices.length - good.length;
  const free = quoted.charged === 0;
  const total = dollars(i18n, quoted.charged);
  const hash = quoted.plan_hash;

  async function pay() {
    if (!hash) return;
    const request = {
      invoices: good.flatMap(({ number, allocation }) =>
        allocation ? [{ number, amount: allocation.wanted }] : [],
      ),
      memos: quoted.credit_memos.flatMap(({ number, balance, problem }) =>
        problem ? [] : [{ number, amount: balance }],
      ),
      payer: free ? undefined : payer,
      planHash: hash,
    };
    const problem = await sending.send(async (key) => {
      const id = await payInvoices(request, key);
      await navigate({ to: "/invoice-payment/complete", search: { id } });
      deselect(request.invoices.map(({ number }) => number));
      return id;
    }, request);
    if (problem) onStale(); // others may have paid meanwhile: the page shows what is
  }

  return (
    <Panel className={`${classes.side} ${classes.section}`} aria-label={t`Summary`}>
      <h2>
        <Trans>Summary</Trans>
      </h2>
      <Terms>
        <Term name={<Plural value={good.length} one="# invoice" other="# invoices" />}>
          {dollars(i18n, quoted.charged + quoted.applied + quoted.discount)}
        </Term>
        {quoted.discount > 0 ? (
          <Term name={<Trans context="early payment">Discount</Trans>}>
            {dollars(i18n, -quoted.discount)}
          </Term>
        ) : null}
        {quoted.applied > 0 ? (
          <Term name={<Trans>Credit memos</Trans>}>{dollars(i18n, -quoted.applied)}</Term>
        ) : null}
        <Term isTotal name={<Trans>To pay</Trans>}>
          {total}
        </Term>
      </Terms>
      <Countdown quoted={quoted} onOver={onStale} />
      {left > 0 ? (
        <Note tone="fail">
          <Plural
            value={left}
            one="# invoice cannot be paid like this and is left out."
            other="# invoices cannot be paid like this and are left out."
          />
        </Note>
      ) : null}
      {free ? null : (
        <MethodChoice
          value={choice}
          onChange={setChoice}
          amount={quoted.charged}
          kinds={["CARD", "BANK_ACCOUNT"]}
          disabled={sending.busy}
        />
      )}
      <InReach hint={isFaulty ? <Trans>Please correct the amounts first.</Trans> : null}>
        <Button
          size="lg"
          disabled={!hash || isFaulty || busy || (!free && !payer)}
          loading={sending.busy}
          onClick={() => void pay()}
        >
          {free ? <Trans>Apply the credit memos</Trans> : <Trans>Pay {total}</Trans>}
        </Button>
      </InReach>
      <ProblemNote problem={sending.problem} />
    </Panel>
  );
}

type CountdownProps = { quoted: Quoted; onOver: () => void };

/** How long the first of the discounts holds, by the portal's clock: the browser's tells only how long ago it said so. */
function Countdown({ quoted, onOver }: CountdownProps) {
  const now = useNow();
  const [heard, setHeard] = useState({ at: quoted.at, when: now });
  if (heard.at !== quoted.at) setHeard({ at: quoted.at, when: now });
  const ends = quoted.discount_ends_at;
  const left = ends ? Date.parse(ends) - Date.parse(quoted.at) - (now - heard.when) : 0;
  const over = ends !== null && left <= 0;
  useEffect(() => {
    if (over) onOver();
  }, [over, onOver]);
  if (!ends || over) return null;
  const seconds = Math.round(left / 1000);
  const days = Math.floor(seconds / DAY);
  const time = (
    <time dateTime={`PT${seconds}S`} role="timer">
      {days > 1 ? <Plural value={days} one="# day" other="# days" /> : clock(seconds)}
    </time>
  );
  return (
    <p className={classes.soft}>
      <Trans>The first of these discounts ends in {time}</Trans>
    </p>
  );
}
