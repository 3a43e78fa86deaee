import { Plural, Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { StepActions } from "../parts/step-actions";
import classes from "../parts/step-body.module.css";
import type { Run } from "../session-hook";
import { OptionTable } from "./option-table";
import {
  changesOf,
  faultyRows,
  type OptionSuggestion,
  type OptionTables,
  REQUERY_LIMIT,
} from "./option-tables";
import { useTypedOptions } from "./typed-options";
import { WriteOptionsDialog } from "./write-options";

/** The first row that is not right, or what says so when the search hides it. */
const FAULTY = '[aria-invalid="true"], [role="alert"]';

type TablesEditorProps = {
  run: Run;
  tables: OptionTables;
  suggestions?: readonly OptionSuggestion[];
  busy: boolean;
  children: ReactNode;
};

/** A table that was read: change it, look at the difference, write it. Nothing changed goes on at once. */
export function TablesEditor(props: TablesEditorProps) {
  const { run, tables, suggestions, busy, children } = props;
  const { view } = run.answer;
  const { kept } = view;
  const sent = kept && "changes" in kept ? kept.changes : undefined;
  const options = useTypedOptions(view.id, view.step, sent);
  const [asking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (refusals > 0) panel.current?.querySelector<HTMLElement>(FAULTY)?.focus();
  }, [refusals]);
  const changes = changesOf(tables, options.typed);
  const faulty = faultyRows(tables, options.typed);
  const changed = changes.length + faulty.length;
  const empty = tables.sections.length === 0;

  function review() {
    options.tellAll();
    if (faulty.length > 0) {
      setRefusals((was) => was + 1);
      return;
    }
    if (changes.length > 0) setAsking(true);
    else write();
  }

  function write() {
    const changed = Object.fromEntries(changes.map(({ row, to }) => [row.key, to]));
    run.ask({ type: "SUBMIT", data: { changes: changed, digest: tables.digest } });
    setAsking(false);
  }

  return (
    <>
      <Panel ref={panel} className={classes.body}>
        {children}
        <Requeries run={run} busy={busy} />
        {empty ? (
          <p>
            <Trans>The device has no such options. There is nothing to do here.</Trans>
          </p>
        ) : (
          <OptionTable
            tables={tables}
            suggestions={suggestions}
            options={options}
            advanced={view.is_advanced_flow}
            disabled={busy}
            refused={run.problem?.fields ?? view.error?.fields ?? []}
          />
        )}
        {faulty.length > 0 && faulty.some(({ row }) => options.told.has(row.key)) ? (
          <Note tone="fail">
            <Plural
              value={faulty.length}
              one="# value is not right yet:"
              other="# values are not right yet:"
            />{" "}
            {faulty.map(({ section, row }) => `${section}, ${row.label}`).join("; ")}
          </Note>
        ) : null}
      </Panel>
      <StepActions
        run={run}
        label={
          changed > 0 ? (
            <Plural value={changed} one="Review # change" other="Review # changes" />
          ) : (
            <Trans>Go on without changes</Trans>
          )
        }
        onSubmit={review}
      />
      {asking ? (
        <WriteOptionsDialog changes={changes} onConfirm={write} onClose={() => setAsking(false)} />
      ) : null}
    </>
  );
}

/** A refusal for special rows is answered by asking the device first; the screen says how often. A kept form is not written yet. */
function Requeries({ run, busy }: { run: Run; busy: boolean }) {
  const { facts, held } = run.answer.view;
  const count = facts.requeries ?? 0;
  if (!busy || held || count === 0) return null;
  const most = REQUERY_LIMIT;
  return (
    <Note tone="wait">
      <Trans>
        Special rows: the device is asked for its own values first, then they are written. Try{" "}
        {count} of {most}.
      </Trans>
    </Note>
  );
}
