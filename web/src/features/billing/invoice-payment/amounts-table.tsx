import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useEffect } from "react";
import { flushSync } from "react-dom";
import { dollars } from "~/shared/catalogue/money";
import { amountIn, amountTyped } from "~/shared/forms/amount";
import { useFields } from "~/shared/forms/fields";
import { dayInWords } from "~/shared/time/day";
import { handOn } from "~/shared/ui/hand-on";
import { DataTable } from "~/shared/ui/lists/data-table";
import { upTo, written } from "./amounts";
import { Fault } from "./fault";
import classes from "./payment.module.css";
import type { QuotedInvoice } from "./types";

type AmountsProps = {
  invoices: readonly QuotedInvoice[];
  amounts: ReadonlyMap<string, number>;
  onAmount: (number: string, amount: number) => void;
  /** Hears at once of what is no amount, before it is shown. */
  onFault: (number: string, isFault: boolean) => void;
  onTakeOut: (number: string) => void;
};

/** An amount for each invoice: what settles it, unless another one was typed. */
export function Amounts(props: AmountsProps) {
  const { invoices, amounts, onAmount, onFault, onTakeOut } = props;
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Invoices to pay`}
      rows={invoices}
      keyOf={({ number }) => number}
      columns={[
        {
          head: t`Invoice`,
          names: true,
          cell: ({ number, due_date }) => (
            <Named number={number} due={dayInWords(i18n, due_date)} />
          ),
        },
        { head: t`Balance`, as: "figure", cell: ({ balance }) => dollars(i18n, balance) },
        {
          head: t({ message: "Discount", context: "early payment" }),
          as: "figure",
          cell: (invoice) => <Discount invoice={invoice} />,
        },
        {
          head: t`Amount`,
          as: "figure",
          cell: (invoice) => (
            <Amount
              key={amounts.get(invoice.number) ?? invoice.payoff}
              invoice={invoice}
              amount={amounts.get(invoice.number) ?? invoice.payoff}
              onAmount={(amount) => onAmount(invoice.number, amount)}
              onFault={onFault}
            />
          ),
        },
        {
          head: t`Take out`,
          as: "controls",
          cell: ({ number }) => (
            <Button
              ref={handOn}
              variant="subtle"
              size="md"
              aria-label={t`Take out ${number}`}
              onClick={() => onTakeOut(number)}
            >
              <Trans>Take out</Trans>
            </Button>
          ),
        },
      ]}
    />
  );
}

function Named({ number, due }: { number: string; due: string }) {
  return (
    <>
      {number}
      <small>
        <Trans>Due {due}</Trans>
      </small>
    </>
  );
}

/** What is granted now, with its last day; and what a smaller amount would forgo. */
function Discount({ invoice }: { invoice: QuotedInvoice }) {
  const { i18n } = useLingui();
  const { discount, discount_until: until, allocation } = invoice;
  if (discount <= 0 || !until) return "—";
  const day = dayInWords(i18n, until);
  const saved = dollars(i18n, discount);
  if (allocation && !allocation.settles)
    return (
      <small className={classes.note}>
        <Trans>
          {saved} for paying all of it until the end of {day}
        </Trans>
      </small>
    );
  return (
    <>
      {saved}
      <small className={classes.note}>
        <Trans>until the end of {day}</Trans>
      </small>
    </>
  );
}

type AmountProps = {
  invoice: QuotedInvoice;
  amount: number;
  onAmount: (amount: number) => void;
  onFault: (number: string, isFault: boolean) => void;
};

/** Digits, dot and minus are taken, and never more than is open. */
function Amount({ invoice, amount, onAmount, onFault }: AmountProps) {
  const { t } = useLingui();
  const { number, balance, problem } = invoice;
  const isAmount = (text: string) =>
    amountIn(text) === undefined ? t`Must be an amount` : undefined;
  const form = useFields(
    { amount: { rules: ["required", isAmount], initial: written(amount), shape: amountTyped } },
    { leavable: true },
  );
  const read = amountIn(form.texts.amount);
  const isFault = read === undefined;

  useEffect(() => {
    onFault(number, isFault);
    return () => onFault(number, false);
  }, [number, isFault, onFault]);

  function settle() {
    if (read === undefined) return;
    const wanted = upTo(balance, read);
    form.set("amount", written(wanted));
    if (wanted !== amount) onAmount(wanted);
  }

  const field = form.field("amount");
  return (
    <TextInput
      {...field}
      className={classes.amount}
      size="md"
      inputMode="decimal"
      aria-label={t`Amount for ${number}`}
      error={field.error ?? (problem && <Fault of={problem} />)}
      onBlur={settle}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Enter") return;
        const cell = currentTarget.closest("td");
        flushSync(settle);
        cell?.querySelector("input")?.focus(); // begun anew with another amount
      }}
    />
  );
}
