import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Age } from "~/shared/time/age";
import { Choice } from "~/shared/ui/choice";
import { DataTable } from "~/shared/ui/data-table";
import { EmptyState } from "~/shared/ui/empty-state";
import { Paged } from "~/shared/ui/paged";
import { Panel } from "~/shared/ui/panel";
import { RunLinks } from "./links";
import classes from "./operations.module.css";
import { type Run, type RunFilters, type RunKind, runsQuery, type Shown } from "./queries";
import { Standing } from "./standing";
import { Things } from "./things";
import { adviceFor, KIND_WORDS, SHOWN_WORDS } from "./words";

const SHOWN = Object.keys(SHOWN_WORDS) as Shown[]; // the keys of that table are all of them
const KINDS = Object.keys(KIND_WORDS) as RunKind[]; // likewise

/** Runs of every kind, newest change first, narrowed by the filters of the address. */
export function Runs({ filters }: { filters: RunFilters }) {
  const { t } = useLingui();
  const found = useInfiniteQuery(runsQuery(filters));
  const runs = found.data?.pages.flatMap(({ results }) => results);
  const named = found.isPlaceholderData ? undefined : found.data?.pages[0]?.things;
  const word = filters.subject ?? "";
  return (
    <section className={classes.section} aria-label={t`Runs`}>
      <h2>
        <Trans>Runs</Trans>
      </h2>
      <Panel>
        <Filters key={JSON.stringify(filters)} filters={filters} />
      </Panel>
      {named?.length ? <Things label={t`What “${word}” names`} things={named} /> : null}
      <Paged of={found}>
        <RunTable runs={runs} />
      </Paged>
    </section>
  );
}

function Filters({ filters }: { filters: RunFilters }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState(filters);

  function search(event: FormEvent) {
    event.preventDefault();
    const subject = wanted.subject?.trim() || undefined;
    const shown = wanted.shown ?? (subject ? "all" : undefined);
    void navigate({ to: "/operations", search: { ...wanted, shown, subject } });
  }

  return (
    <form className={classes.filters} onSubmit={search}>
      <Choice<Shown>
        label={t`Show`}
        value={wanted.shown ?? "open"}
        onChange={(shown) => setWanted({ ...wanted, shown })}
        options={SHOWN.map((value) => ({ value, label: i18n._(SHOWN_WORDS[value]) }))}
      />
      <Choice<RunKind | "">
        label={t`Kind`}
        value={wanted.kind ?? ""}
        onChange={(kind) => setWanted({ ...wanted, kind: kind || undefined })}
        options={[
          { value: "", label: t`All` },
          ...KINDS.map((value) => ({ value, label: i18n._(KIND_WORDS[value]) })),
        ]}
      />
      <TextInput
        size="md"
        label={t`State`}
        value={wanted.state ?? ""}
        onChange={({ currentTarget }) =>
          setWanted({ ...wanted, state: currentTarget.value.trim() || undefined })
        }
      />
      <TextInput
        size="md"
        label={t`Serial, order, person, …`}
        description={t`Or a PO or invoice number, a receipt, a business, an id`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={wanted.subject ?? ""}
        onChange={({ currentTarget }) => setWanted({ ...wanted, subject: currentTarget.value })}
      />
      <Button type="submit" size="md">
        <Trans>Search</Trans>
      </Button>
    </form>
  );
}

function RunTable({ runs }: { runs: readonly Run[] | undefined }) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`List of runs`}
      rows={runs}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      empty={
        <EmptyState>
          <Trans>No results found</Trans>
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
        { head: t`State`, cell: (run) => <Standing run={run} /> },
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
      {run.error}
      {run.pending.map(({ activity, attempt, failure }) => (
        <small key={activity}>
          {t`${activity}, try ${attempt}`}
          {failure ? `: ${failure}` : null}
        </small>
      ))}
      {run.outcome === "needs_attention" ? <small>{i18n._(adviceFor(run))}</small> : null}
    </>
  );
}
