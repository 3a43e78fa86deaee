import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useId } from "react";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { amountIn, amountTyped } from "~/shared/forms/amount";
import { useFields } from "~/shared/forms/fields";
import { dayInWords } from "~/shared/time/day";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./paying-well.module.css";
import { type Advice, advised } from "./queries";
import { selectOnly } from "./selection";

/** As much as the server takes, in dollars. */
const MOST = 10_000_000;

/** So much money, and what to pay with it: one press selects the invoices that save most, then those past due. */
export function PayingWell() {
  const { t } = useLingui();
  const title = useId();
  const isAmount = (text: string) =>
    text === "" || amountIn(text, { most: MOST }) !== undefined ? undefined : t`Invalid value`;
  const form = useFields(
    {
      budget: { rules: ["required", isAmount], shape: amountTyped },
      on: { rules: [] },
    },
    { leavable: true },
  );
  const { busy, answer, problem, send } = useSend<Advice>();

  function choose({ budget, on }: typeof form.texts) {
    const amount = amountIn(budget, { most: MOST });
    if (amount === undefined) return;
    void send(async () => {
      const advice = await advised(amount, on || undefined);
      selectOnly(advice.results);
      return advice;
    });
  }

  return (
    <Panel aria-labelledby={title}>
      <h2 id={title} className={classes.title}>
        <Trans>Paying well</Trans>
      </h2>
      <p>
        <Trans>
          Selects what to pay with your money: the most discount, then the most past due, then the
          oldest.
        </Trans>
      </p>
      <form className={classes.form} onSubmit={form.submit(choose)} noValidate>
        <TextInput
          size="md"
          label={t`Money to pay with (USD)`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={13}
          {...form.field("budget")}
        />
        <TextInput
          size="md"
          type="date"
          label={t`Paid on (today if empty)`}
          {...form.field("on")}
        />
        <Button type="submit" size="md" loading={busy}>
          <Trans>Select what to pay</Trans>
        </Button>
      </form>
      <div role="status">{answer && !busy ? <Advised advice={answer} /> : null}</div>
      {problem ? <ProblemNote problem={problem} /> : null}
    </Panel>
  );
}

function Advised({ advice }: { advice: Advice }) {
  const { i18n } = useLingui();
  const [total, discount, pastDue, left] = [
    advice.total,
    advice.discount,
    advice.pastDue,
    advice.left,
  ].map((amount) => dollars(i18n, amount));
  const day = dayInWords(i18n, advice.on);
  const { considered, open } = advice;
  if (advice.results.length === 0) {
    return (
      <p>
        <Trans>No open invoice can be settled with so much.</Trans>
      </p>
    );
  }
  return (
    <>
      <p>
        <Plural
          value={advice.results.length}
          one="# invoice is selected."
          other="# invoices are selected."
        />{" "}
        <Trans>
          On {day} they come to <b>{total}</b>: {discount} off, {pastDue} past due cleared, {left}{" "}
          stays.
        </Trans>
      </p>
      {considered < open ? (
        <p>
          <Trans>
            {considered} of {open} open invoices were looked at: one payment settles no more.
          </Trans>
        </p>
      ) : null}
    </>
  );
}
