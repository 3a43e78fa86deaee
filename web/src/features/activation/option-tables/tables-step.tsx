import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSession } from "~/shared/session/session";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { StepActions } from "../parts/step-actions";
import classes from "../parts/step-body.module.css";
import { optionSuggestionsQuery, optionTablesQuery } from "../queries";
import { isAtWork, type Run } from "../session-hook";
import type { TableName } from "./option-tables";
import { TablesEditor } from "./tables-editor";

type TablesStepProps = { run: Run; table: TableName; children: ReactNode };

/**
 * A step that writes one option table: read from the device, changed here, shown as a difference, then written. A table
 * that cannot be read holds nobody up.
 */
export function TablesStep({ run, table, children }: TablesStepProps) {
  const { view } = run.answer;
  const query = useQuery(optionTablesQuery(view.id, table));
  const busy = isAtWork(run);
  const { refetch } = query;
  const refusal = run.problem?.code ?? view.error?.code;
  useEffect(() => {
    if (refusal) void refetch(); // what the device has may be another thing by now
  }, [refusal, refetch]);
  const signedIn = useSession().state === "signed-in";
  const suggestions = useQuery({
    ...optionSuggestionsQuery(view.id, table),
    enabled: signedIn && Boolean(view.facts.vehicle),
  });
  if (query.data) {
    return (
      <TablesEditor run={run} tables={query.data} suggestions={suggestions.data} busy={busy}>
        {children}
      </TablesEditor>
    );
  }
  return (
    <>
      <Panel className={classes.body}>
        {children}
        {query.error ? (
          <ProblemNote problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : (
          <Reading />
        )}
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Go on without changes</Trans>}
        unready={!query.error}
        onSubmit={() => run.ask({ type: "SUBMIT", data: { changes: {}, digest: "" } })}
      />
    </>
  );
}

function Reading() {
  return (
    <div aria-busy="true">
      <p role="status">
        <Trans>Reading the options from the device…</Trans>
      </p>
      <Skeleton height={220} radius="md" />
    </div>
  );
}
