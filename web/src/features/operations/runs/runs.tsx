import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useFields } from "~/shared/forms/fields";
import { Age } from "~/shared/time/age";
import { Choice } from "~/shared/ui/fields/choice";
import { handOn } from "~/shared/ui/hand-on";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { FilterFold } from "~/shared/ui/lists/filter-fold";
import { Paged } from "~/shared/ui/lists/paged";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../operations.module.css";
import {
  type OtherLists,
  type Run,
  type RunFilters,
  type RunKind,
  type RunList,
  runsQuery,
} from "../queries";
import { adviceFor, KIND_WORDS, SHOWN_WORDS, troubleOf } from "../words";
import { RunLinks } from "./links";
import { RunStatus } from "./run-status";
import { Things } from "./things";

const SHOWN = Object.keys(SHOWN_WORDS) as RunList[]; // the keys of that table are all of them
const KINDS = Object.keys(KIND_WORDS) as RunKind[]; // likewise

type RunsProps = {
  filters: RunFilters;
  /** Stays in the address. */
  others?: OtherLists;
};

/** Runs of every kind, newest change first, narrowed by the filters of the address. */
export function Runs({ filters, others = {} }: RunsProps) {
  const { t } = useLingui();
  const found = useInfiniteQuery(runsQuery(filters));
  const runs = found.data?.pages.flatMap(({ results }) => results);
  const named = found.isPlaceholderData ? undefined : found.data?.pages[0]?.things;
  const word = filters.subject ?? "";
  const { shown = "open", ...narrowing } = filters;
  const narrowed = shown !== "all" || Object.values(narrowing).some(Boolean);
  return (
    <section className={classes.section} aria-label={t`Runs`}>
      <h2>
        <Trans>Runs</Trans>
      </h2>
      <Panel>
        <Filters key={JSON.stringify(filters)} filters={filters} others={others} />
      </Panel>
      {named?.length ? <Things label={t`What “${word}” names`} things={named} /> : null}
      <Paged of={found}>
        <RunTable runs={runs} narrowed={narrowed} others={others} />
      </Paged>
    </section>
  );
}

function Filters({ filters, others }: Required<RunsProps>) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const form = useFields(
    {
      shown: { rules: [], initial: filters.shown },
      kind: { rules: [], initial: filters.kind },
      state: { rules: [], initial: filters.state },
      subject: { rules: [], initial: filters.subject },
    },
    { leavable: true },
  );
  const shown = form.choice<RunList | "">("shown");
  const kind = form.choice<RunKind | "">("kind");

  function search(texts: typeof form.texts) {
    const subject = texts.subject.trim() || undefined;
    const state = texts.state.trim() || undefined;
    void navigate({
      to: "/operations",
      search: {
        ...filters,
        ...others,
        shown: shown.value || (subject ? "all" : undefined),
        kind: kind.value || undefined,
        state,
        subject,
      },
    });
  }

  return (
    <form ref={handOn} className={classes.filters} onSubmit={form.submit(search)} noValidate>
      <TextInput
        size="md"
        label={t`Serial, order, person, …`}
        description={t`Or a PO or invoice number, a receipt, a business, an id`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("subject")}
      />
      <FilterFold set={[filters.shown, filters.kind, filters.state].filter(Boolean).length}>
        <Choice<RunList | "">
          label={t`Show`}
          {...shown}
          value={shown.value || "open"}
          options={SHOWN.map((value) => ({ value, label: i18n._(SHOWN_WORDS[value]) }))}
        />
        <Choice<RunKind | "">
          label={t`Kind`}
          {...kind}
          options={[
            { value: "", label: t`All` },
            ...KINDS.map((value) => ({ value, label: i18n._(KIND_WORDS[value]) })),
          ]}
        />
        <TextInput size="md" label={t`State`} {...form.field("state")} />
      </FilterFold>
      <Button type="submit" size="md">
        <Trans>Search</Trans>
      </Button>
    </form>
  );
}

type RunTableProps = {
  runs: readonly Run[] | undefined;
  narrowed: boolean;
  others: OtherLists;
};

function RunTable({ runs, narrowed, others }: RunTableProps) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`List of runs`}
      rows={runs}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      empty={
        <EmptyState
          action={
            narrowed ? (
              <Link to="/operations" search={{ ...others, shown: "all" }}>
                <Trans>Show all runs</Trans>
              </Link>
            ) : (
              <Link to="/activation">
                <Trans>Begin an activation</Trans>
              </Link>
            )
          }
        >
          {narrowed ? <Trans>No results found</Trans> : <Trans>Nothing was begun yet.</Trans>}
        </EmptyState>
      }
      columns={[
        {
          head: t`Run`,
          names: true,
          cell: ({ kind, id, subject }) => (
            <>
              <Link to="/operations/run" search={{ kind, id }}>
                {subject}
              </Link>
              <small>
                {i18n._(KIND_WORDS[kind])} · {id}
              </small>
            </>
          ),
        },
        { head: t`State`, cell: (run) => <RunStatus run={run} /> },
        { head: t`Last change`, cell: ({ updated_at }) => <Age since={updated_at} /> },
        { head: t`Trouble`, cell: (run) => <Trouble run={run} /> },
        { head: t`Look`, cell: (run) => <RunLinks run={run} /> },
      ]}
    />
  );
}

/** What is wrong with it, and what to do. */
export function Trouble({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  return (
    <>
      {troubleOf(i18n, run)}
      {run.pending.map(({ activity, attempt, failure, request_id: named }) => (
        <small key={activity}>
          {t`${activity}, try ${attempt}`}
          {failure ? `: ${failure}` : null}
          {named ? ` · ${named}` : null}
        </small>
      ))}
      {run.outcome === "needs_attention" ? <small>{i18n._(adviceFor(run))}</small> : null}
    </>
  );
}
