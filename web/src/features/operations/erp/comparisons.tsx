import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { Age } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import classes from "../operations.module.css";
import { type Comparison, differencesQuery } from "./queries";
import { DIFFERENCE_WORDS } from "./words";

/** The latest comparisons, and what one of them found: by default the last. */
export function Comparisons(props: {
  comparisons: readonly Comparison[];
  shown: string | undefined;
}) {
  const { comparisons, shown } = props;
  const { t, i18n } = useLingui();
  const one = comparisons.find(({ id }) => id === shown) ?? comparisons[0];
  return (
    <>
      <div className={classes.section}>
        <h2>
          <Trans>Comparisons</Trans>
        </h2>
        <DataTable
          label={t`Comparisons`}
          rows={comparisons}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              action={
                <Link to="/operations">
                  <Trans>Operations</Trans>
                </Link>
              }
            >
              <Trans>Nothing was compared yet. It is done each night.</Trans>
            </EmptyState>
          }
          columns={[
            {
              head: t`Begun`,
              names: true,
              cell: ({ id, began_at }) => (
                <Link
                  to="/operations/erp"
                  search={{ id }}
                  aria-current={id === one?.id ? "true" : undefined}
                >
                  {i18n.date(began_at, { dateStyle: "medium", timeStyle: "short" })}
                </Link>
              ),
            },
            {
              head: t({ message: "Ended", context: "comparison" }),
              cell: ({ ended_at }) => (ended_at ? <Age since={ended_at} /> : t`under way`),
            },
            { head: t`Records`, as: "figure", cell: ({ compared }) => i18n.number(compared) },
            {
              head: t`Differences`,
              as: "figure",
              cell: ({ by_kind }) =>
                i18n.number(Object.values(by_kind).reduce((sum, each) => sum + each, 0)),
            },
          ]}
        />
      </div>
      {one ? <Differences of={one} /> : null}
    </>
  );
}

function Differences({ of }: { of: Comparison }) {
  const { t, i18n } = useLingui();
  const found = useQuery(differencesQuery(of.id));
  return (
    <div className={classes.section}>
      <h2>
        <Trans>Differences</Trans>
      </h2>
      {found.isPending ? <Skeleton height={110} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {found.data ? (
        <DataTable
          label={t`Differences`}
          rows={found.data.results}
          keyOf={({ kind, code }) => `${kind} ${code}`}
          empty={
            <EmptyState
              action={
                <Link to="/operations">
                  <Trans>Operations</Trans>
                </Link>
              }
            >
              <Trans>No differences: we say what the ERP says</Trans>
            </EmptyState>
          }
          columns={[
            {
              head: t`Record`,
              as: "code",
              names: true,
              cell: ({ code, kind }) => (
                <>
                  {code}
                  <small>{i18n._(DIFFERENCE_WORDS[kind])}</small>
                </>
              ),
            },
            { head: t`The ERP says`, cell: ({ theirs }) => theirs || "–" },
            { head: t`We said`, cell: ({ ours }) => ours || "–" },
            {
              head: t`Repaired`,
              cell: ({ is_repaired }) =>
                is_repaired ? (
                  <Status tone="ok">
                    <Trans>yes</Trans>
                  </Status>
                ) : (
                  <Status tone="fail">
                    <Trans>no</Trans>
                  </Status>
                ),
            },
          ]}
        />
      ) : null}
    </div>
  );
}
