import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Age } from "~/shared/time/age";
import { Choice } from "~/shared/ui/fields/choice";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Paged } from "~/shared/ui/lists/paged";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../operations.module.css";
import type { OperationsAddress } from "../queries";
import {
  compareNow,
  type DifferenceState,
  differencesQuery,
  type Reconciliation,
  reconciliationQuery,
} from "./queries";
import { DifferenceTable } from "./table";
import { DIFFERENCE_STATES, differencesIn, PART_WORDS, STATE_WORDS } from "./words";

/** Our money against the providers' and the ERP's: when it was compared, and what is not the same on both sides. */
export function ReconciliationSection({ address }: { address: OperationsAddress }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const shown = differencesIn(address.differences);
  const now = useQuery(reconciliationQuery);
  const found = useInfiniteQuery(differencesQuery(shown));
  const show = (next: DifferenceState) =>
    void navigate({
      to: "/operations",
      search: { ...address, differences: next === "open" ? undefined : next },
      resetScroll: false,
    });
  return (
    <section className={classes.section} aria-label={t`Reconciliation`}>
      <h2>
        <Trans>Reconciliation</Trans>
      </h2>
      <Panel>
        <div className={classes.filters}>
          <Choice<DifferenceState>
            label={t`Differences`}
            value={shown}
            onChange={show}
            options={DIFFERENCE_STATES.map((value) => ({
              value,
              label: i18n._(STATE_WORDS[value]),
            }))}
          />
          <Compare now={now.data} />
        </div>
        {now.isError ? (
          <ProblemNote problem={problemOf(now.error)} onRetry={() => void now.refetch()} />
        ) : null}
        {now.data ? <LastRound now={now.data} /> : null}
      </Panel>
      <Paged of={found}>
        <DifferenceTable
          rows={found.data?.pages.flatMap(({ results }) => results)}
          busy={found.isPlaceholderData}
          empty={
            <EmptyState
              action={
                shown === "open" ? (
                  <Button variant="default" size="md" onClick={() => show("settled")}>
                    <Trans>Show settled ones</Trans>
                  </Button>
                ) : (
                  <Button variant="default" size="md" onClick={() => show("open")}>
                    <Trans>Show open ones</Trans>
                  </Button>
                )
              }
            >
              {shown === "open" ? <Trans>No differences</Trans> : <Trans>No results found</Trans>}
            </EmptyState>
          }
        />
      </Paged>
    </section>
  );
}

/** Begins a round; while one is under way it says so. */
function Compare({ now }: { now: Reconciliation | undefined }) {
  const queries = useQueryClient();
  const { busy, problem, send } = useSend();
  const isUnderWay = Boolean(now?.under_way);

  function compare() {
    void send(async (key) => {
      await compareNow(key);
      await queries.invalidateQueries({ predicate: below("/v1/operations/reconciliation") });
    });
  }

  return (
    <>
      <Button size="md" loading={busy} disabled={isUnderWay || !now} onClick={compare}>
        {isUnderWay ? <Trans>Comparing…</Trans> : <Trans>Compare now</Trans>}
      </Button>
      <ProblemNote problem={problem} />
    </>
  );
}

function LastRound({ now }: { now: Reconciliation }) {
  const { t, i18n } = useLingui();
  const { last } = now;
  if (!last)
    return (
      <p className={classes.quiet}>
        <Trans>The books were not compared yet. It is done each night.</Trans>
      </p>
    );
  const failed = last.failed.map((part) => {
    const words = PART_WORDS[part];
    return words ? i18n._(words) : part;
  });
  const compared = Object.values(last.compared).reduce((all, each) => all + each, 0);
  return (
    <p className={failed.length > 0 ? classes.trouble : classes.quiet}>
      <Trans>
        Last compared <Age since={last.ended_at ?? last.began_at} />
      </Trans>
      {" · "}
      {t`${i18n.number(compared)} entries`}
      {failed.length > 0 ? ` · ${t`could not be compared: ${failed.join(", ")}`}` : null}
    </p>
  );
}
