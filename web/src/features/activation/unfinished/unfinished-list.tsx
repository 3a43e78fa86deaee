import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { Age } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ShowMore } from "~/shared/ui/lists/paged";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { type Scope, type Unfinished, unfinishedQuery } from "../queries";
import type { ActivationSummary } from "../types";
import { STEP_WORDS, TYPE_WORDS } from "../words";
import classes from "./unfinished-list.module.css";

type UnfinishedListProps = {
  scope: Scope;
  /** The first page, which came with what else waits. */
  first: Unfinished;
};

/** What is half done, as rows that open it. An error keeps the rows that are there. */
export function UnfinishedList({ scope, first }: UnfinishedListProps) {
  const { t } = useLingui();
  const query = useInfiniteQuery({
    ...unfinishedQuery(scope),
    initialData: { pages: [first], pageParams: [undefined] },
  });
  return (
    <div className={classes.area}>
      {query.error ? (
        <ProblemNote problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      <DataTable
        label={t`Unfinished activations`}
        rows={query.data.pages.flatMap((page) => page.results)}
        keyOf={({ id }) => id}
        empty={<Nothing scope={scope} />}
        columns={[
          {
            head: t`Device`,
            names: true,
            cell: (activation) => <Device activation={activation} />,
          },
          { head: t`Vehicle`, cell: ({ vehicle }) => vehicle ?? "—" },
          { head: t`Step`, cell: (activation) => <Step activation={activation} /> },
          { head: t`Who`, cell: ({ updated_by }) => updated_by },
          { head: t`Idle`, cell: ({ updated_at }) => <Age since={updated_at} /> },
        ]}
      />
      <ShowMore of={query} />
    </div>
  );
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <EmptyState
      title={<Trans>Nothing is waiting</Trans>}
      action={
        <Link to="/activation">
          <Trans>Begin an activation</Trans>
        </Link>
      }
    >
      {scope === "mine" ? (
        <Trans>
          Activations that you leave half-way appear here, on every device you log in with.
        </Trans>
      ) : (
        <Trans>
          Activations that a colleague leaves half-way appear here, and you can go on with them.
        </Trans>
      )}
    </EmptyState>
  );
}

function Device({ activation }: { activation: ActivationSummary }) {
  const { i18n } = useLingui();
  return (
    <>
      <Link
        to="/activation/device"
        search={{ id: activation.id, step: activation.step }}
        className={classes.key}
      >
        {activation.device_key}
      </Link>
      <small>{i18n._(TYPE_WORDS[activation.type].name)}</small>
    </>
  );
}

function Step({ activation }: { activation: ActivationSummary }) {
  const { i18n } = useLingui();
  const step = STEP_WORDS[activation.step];
  return (
    <>
      {step ? i18n._(step) : activation.step}
      <small>
        <Trans>
          Step {activation.position} of {activation.total}
        </Trans>
      </small>
      {activation.state.includes("/") ? (
        <Status tone="wait">
          <Trans>In progress</Trans>
        </Status>
      ) : null}
      {activation.handed ? <Handed handed={activation.handed} /> : null}
    </>
  );
}

/** What whoever handed it over wrote. */
function Handed({ handed }: { handed: NonNullable<ActivationSummary["handed"]> }) {
  const { by, note, only_to_pay } = handed;
  return (
    <small>
      {only_to_pay ? <Trans>From {by}, only to pay.</Trans> : <Trans>From {by}.</Trans>}
      {note ? (
        <>
          {" "}
          <q>{note}</q>
        </>
      ) : null}
    </small>
  );
}
