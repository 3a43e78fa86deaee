import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { PAYOUT_WORDS } from "~/shared/payments/payout-words";
import { Age } from "~/shared/time/age";
import { Choice } from "~/shared/ui/fields/choice";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { RowActions } from "~/shared/ui/lists/row-actions";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../operations.module.css";
import type { OperationsAddress } from "../queries";
import { PAYOUT_STATES, PAYOUTS_PAGE, type PayoutList, payoutsIn, payoutsQuery } from "./queries";
import { Retry } from "./retry";
import { SettleOtherwise } from "./settle";

/** Rewards that are paid to dealers: what waits, was refused or came back, and another attempt. */
export function PayoutsSection({ address }: { address: OperationsAddress }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const shown = payoutsIn(address.payouts);
  const found = useQuery(payoutsQuery(shown));
  const count = found.data?.count ?? 0;
  const options = [
    { value: "open" as const, label: t({ message: "Not paid", context: "payouts" }) },
    ...PAYOUT_STATES.map((value) => ({ value, label: i18n._(PAYOUT_WORDS[value].said) })),
  ];
  const show = (next: PayoutList) =>
    void navigate({
      to: "/operations",
      search: { ...address, payouts: next === "open" ? undefined : next },
      resetScroll: false,
    });
  return (
    <section className={classes.section} aria-label={t`Payouts`}>
      <h2>
        <Trans>Payouts</Trans>
      </h2>
      <Panel>
        <div className={classes.filters}>
          <Choice<PayoutList>
            label={t`Shown payouts`}
            value={shown}
            onChange={show}
            options={options}
          />
        </div>
        {count > PAYOUTS_PAGE ? (
          <p className={classes.quiet}>{t`The latest ${PAYOUTS_PAGE} of ${i18n.number(count)}`}</p>
        ) : null}
        {found.error ? (
          <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        ) : null}
      </Panel>
      {found.error && !found.data ? null : (
        <DataTable
          label={t`List of payouts`}
          rows={found.data?.results}
          busy={found.isPlaceholderData}
          keyOf={({ dealer_id, month }) => `${dealer_id} ${month}`}
          empty={
            <EmptyState
              action={
                shown === "paid" ? (
                  <Button variant="default" size="md" onClick={() => show("open")}>
                    <Trans>Show those that are not paid</Trans>
                  </Button>
                ) : (
                  <Button variant="default" size="md" onClick={() => show("paid")}>
                    <Trans>Show those that are paid</Trans>
                  </Button>
                )
              }
            >
              {shown === "open" ? <Trans>No payouts</Trans> : <Trans>No results found</Trans>}
            </EmptyState>
          }
          columns={[
            {
              head: t`Business`,
              names: true,
              cell: ({ dealer, dealer_id }) => (
                <>
                  {dealer}
                  <small>{dealer_id}</small>
                </>
              ),
            },
            { head: t`Month`, as: "whole", cell: ({ month }) => month },
            { head: t`Amount`, as: "figure", cell: ({ amount }) => dollars(i18n, amount) },
            {
              head: t`State`,
              cell: ({ state, detail }) => (
                <>
                  <Status tone={PAYOUT_WORDS[state].tone}>
                    {i18n._(PAYOUT_WORDS[state].said)}
                  </Status>
                  {detail ? <small lang="en">{detail}</small> : null}
                </>
              ),
            },
            { head: t`Attempts`, as: "figure", cell: ({ attempt }) => i18n.number(attempt) },
            { head: t`Since`, cell: ({ changed_at }) => <Age since={changed_at} /> },
            {
              head: t`What to do`,
              cell: (one) => (
                <RowActions>
                  <Retry of={one} />
                  <SettleOtherwise of={one} />
                </RowActions>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
