import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { deselect, useSelection } from "../invoices/selection";
import { Amounts } from "./amounts-table";
import { Memos } from "./memos";
import classes from "./payment.module.css";
import { invoiceQuoteQuery, requestOf } from "./queries";
import { Summary } from "./summary";

/** Pay Invoices: what is selected, with an amount for each, the memos that are applied, and what it comes to. */
export function PayScreen() {
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Pay Invoices</Trans>
      </Heading>
      <Selected />
    </div>
  );
}

function Selected() {
  const selection = useSelection();
  const [amounts, setAmounts] = useState<ReadonlyMap<string, number>>(new Map());
  const [memos, setMemos] = useState<readonly string[]>([]);
  const [faulty, setFaulty] = useState<ReadonlySet<string>>(new Set());
  const mark = useCallback(
    (number: string, isFault: boolean) =>
      setFaulty((before) => {
        if (before.has(number) === isFault) return before;
        const after = new Set(before);
        if (!after.delete(number)) after.add(number);
        return after;
      }),
    [],
  );
  const { t } = useLingui();
  const request = requestOf(selection.keys(), amounts, memos);
  const quote = useQuery({ ...invoiceQuoteQuery(request), enabled: selection.size > 0 });
  if (selection.size === 0)
    return (
      <EmptyState
        action={
          <Link to="/invoice/{-$id}" params={{ id: undefined }}>
            <Trans>Select invoices</Trans>
          </Link>
        }
      >
        <Trans>No invoice is selected.</Trans>
      </EmptyState>
    );
  const quoted = quote.data;
  if (quote.isError && !quoted)
    return <ProblemNote problem={problemOf(quote.error)} onRetry={() => void quote.refetch()} />;
  if (!quoted) return <PageSkeleton titled />;
  return (
    <div className={classes.columns}>
      <div className={classes.section}>
        <Amounts
          invoices={quoted.invoices.filter(({ number }) => selection.has(number))}
          amounts={amounts}
          onAmount={(number, amount) => setAmounts(new Map(amounts).set(number, amount))}
          onFault={mark}
          onTakeOut={(number) => deselect([number])}
        />
        <Memos
          label={t`Credit memos`}
          chosen={memos}
          quoted={quoted.credit_memos}
          onChange={setMemos}
        />
        {quote.isError ? (
          <ProblemNote problem={problemOf(quote.error)} onRetry={() => void quote.refetch()} />
        ) : null}
      </div>
      <Summary
        quoted={quoted}
        isFaulty={faulty.size > 0}
        busy={quote.isFetching}
        onStale={() => void quote.refetch()}
      />
    </div>
  );
}
