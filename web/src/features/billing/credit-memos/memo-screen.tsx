import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { CasesOf } from "~/shared/cases/cases-of";
import { dollars } from "~/shared/catalogue/money";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { readsOnly } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { dayInWords } from "~/shared/time/day";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ListRefusal } from "~/shared/ui/lists/list-refusal";
import { Term, Terms } from "~/shared/ui/lists/totals";
import { isLost } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../documents/documents.module.css";
import { SettledTable } from "../documents/settled";
import { type CreditMemo, memoQuery } from "./queries";
import { MemoState } from "./table";

/** One credit memo: what it is for, where it went, what can still be applied. */
export function CreditMemoScreen({ id }: { id: string }) {
  const found = useQuery(memoQuery(id));
  const failure = found.isError ? (
    <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
      <Trans>
        Each business has credit memos of its own. Select the business that you work for.
      </Trans>
    </ListRefusal>
  ) : null;
  if (found.data && !isLost(found)) return <Shown memo={found.data} failure={failure} />;
  return (
    <div className={classes.page}>
      {found.isError && problemOf(found.error).status === 404 ? (
        <Missing />
      ) : (
        <>
          <Heading>
            <Trans>Credit memo</Trans>
          </Heading>
          {failure ?? <Skeleton height={320} radius="lg" />}
        </>
      )}
    </div>
  );
}

function Shown({ memo, failure }: { memo: CreditMemo; failure: ReactNode }) {
  const { i18n, t } = useLingui();
  const { number } = memo;
  const issued = dayInWords(i18n, memo.create_date);
  const reads = readsOnly(useSession());
  return (
    <div className={classes.page}>
      <div className={classes.title}>
        <div>
          <Heading>
            <Trans>Credit memo {number}</Trans>
          </Heading>
          <p>
            <Trans>Issued on {issued}</Trans>
          </p>
        </div>
        <MemoState memo={memo} />
      </div>
      {failure}
      <div className={classes.actions}>
        <Button variant="default" size="md" onClick={() => window.print()}>
          <Trans>Print</Trans>
        </Button>
        <KeepPdf
          path={`/v1/credit-memos/${encodeURIComponent(number)}/credit-memo.pdf`}
          name={`credit-memo-${number}.pdf`}
        />
        {reads ? null : (
          <Link to="/credit-memo/{-$id}" params={{ id: undefined }}>
            <Trans>All credit memos</Trans>
          </Link>
        )}
      </div>
      <CasesOf of={{ kind: "credit_memo", id: number }} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <section className={classes.section} aria-labelledby="applied">
            <h2 id="applied">
              <Trans>Applied to</Trans>
            </h2>
            <SettledTable
              label={t`Applied to`}
              settled={memo.appliedTo}
              empty={
                <EmptyState
                  action={
                    reads ? (
                      <Link to="/operations">
                        <Trans>Operations</Trans>
                      </Link>
                    ) : (
                      <Link to="/invoice/{-$id}" params={{ id: undefined }}>
                        <Trans>All invoices</Trans>
                      </Link>
                    )
                  }
                >
                  <Trans>Nothing of it was applied yet.</Trans>
                </EmptyState>
              }
            />
          </section>
        </div>
        <Panel className={classes.figures} aria-label={t`Totals`}>
          <h2>
            <Trans>Totals</Trans>
          </h2>
          <Terms>
            <Term name={<Trans>Total</Trans>}>{dollars(i18n, memo.total.amount)}</Term>
            <Term name={<Trans>Applied</Trans>}>{dollars(i18n, -memo.applied.amount)}</Term>
            <Term isTotal name={<Trans>Can be applied</Trans>}>
              {dollars(i18n, memo.balance.amount)}
            </Term>
          </Terms>
          <h2>
            <Trans>Details</Trans>
          </h2>
          <Terms>
            <Term name={<Trans>Reason</Trans>}>
              <span lang="en">{memo.reason}</span>
            </Term>
            {memo.invoiceNumber ? (
              <Term name={<Trans>Invoice</Trans>}>
                <Link to="/invoice/{-$id}" params={{ id: memo.invoiceNumber }}>
                  {memo.invoiceNumber}
                </Link>
              </Term>
            ) : null}
          </Terms>
        </Panel>
      </div>
    </div>
  );
}

function Missing() {
  return (
    <>
      <Heading>
        <Trans>Credit memo not found</Trans>
      </Heading>
      <EmptyState
        action={
          <Link to="/credit-memo/{-$id}" params={{ id: undefined }}>
            <Trans>All credit memos</Trans>
          </Link>
        }
      >
        <Trans>
          There is no such credit memo, or it belongs to another business. Reps see the credit memos
          of the business that is selected.
        </Trans>
      </EmptyState>
    </>
  );
}
