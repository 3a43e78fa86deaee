import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { lasted } from "~/shared/time/lasted";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { Board, stepName } from "./board";
import { type BoardFilters, stepsQuery } from "./queries";

/** Where activations of all businesses wait and are lost, for administrators. */
export function StepsScreen({ filters }: { filters: BoardFilters }) {
  const navigate = useNavigate();
  const steps = useQuery(stepsQuery);
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Activations at work</Trans>
      </Heading>
      <Panel className={classes.panel} aria-labelledby="steps">
        <h2 id="steps">
          <Trans>Steps of the last 90 days</Trans>
        </h2>
        <Steps />
      </Panel>
      {steps.isPending ? null : (
        <section className={classes.panel} aria-labelledby="waiting">
          <h2 id="waiting">
            <Trans>Under way, the longest idle first</Trans>
          </h2>
          <Board
            whose={null}
            filters={filters}
            onChange={(next) =>
              void navigate({ to: "/operations/activations", search: next, replace: true })
            }
          />
        </section>
      )}
    </div>
  );
}

function Steps() {
  const { t, i18n } = useLingui();
  const found = useQuery(stepsQuery);
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  return (
    <>
      {failure}
      <DataTable
        label={t`Steps`}
        rows={found.data?.results}
        keyOf={({ step }) => step}
        empty={
          <EmptyState
            action={
              <Link to="/operations">
                <Trans>Operations</Trans>
              </Link>
            }
          >
            <Trans>No activation has ended yet.</Trans>
          </EmptyState>
        }
        columns={[
          { head: t`Step`, names: true, cell: ({ step }) => stepName(i18n, step) },
          { head: t`Reached`, as: "figure", cell: ({ reached }) => i18n.number(reached) },
          { head: t`Lost here`, as: "figure", cell: ({ lost }) => i18n.number(lost) },
          {
            head: t`Median time`,
            as: "figure",
            cell: ({ median_ms }) => lasted(i18n.locale, median_ms),
          },
          {
            head: t`95th percentile`,
            as: "figure",
            cell: ({ p95_ms }) => lasted(i18n.locale, p95_ms),
          },
        ]}
      />
    </>
  );
}
