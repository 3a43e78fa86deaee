import { useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { Age } from "~/shared/time/age";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../operations.module.css";
import { type Run, type RunKind, runQuery } from "../queries";
import { RunLinks } from "../runs/links";
import { RunStatus } from "../runs/run-status";
import { Trouble } from "../runs/runs";
import { Things } from "../runs/things";
import { KIND_WORDS } from "../words";
import { GiveUp } from "./give-up";
import { RunMap } from "./map";
import { Moves } from "./moves";
import { RetryingPanel } from "./retrying";
import { Settle } from "./settle";
import { SettlePlacement } from "./settle-placement";

/** One run: where it stands, what is wrong, and everything that happened to it. */
export function RunPage({ kind, id }: { kind: RunKind; id: string }) {
  const { i18n, t } = useLingui();
  const found = useQuery(runQuery({ kind, id }));
  const run = found.data?.run;
  return (
    <div className={classes.page}>
      <Heading focusKey={id}>
        {i18n._(KIND_WORDS[kind])} {run?.subject}
      </Heading>
      {found.isPending ? <Skeleton height={260} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {run ? (
        <>
          <Panel>
            <Facts run={run} reference={found.data?.request_id ?? undefined} />
          </Panel>
          {found.data?.about.length ? (
            <Things label={t`What it is about`} things={found.data.about} />
          ) : null}
          {found.data ? <RetryingPanel run={run} retrying={found.data.retrying} /> : null}
          {run.outcome === "needs_attention" ? <Attention run={run} /> : null}
          {found.data ? <RunMap detail={found.data} /> : null}
          {kind === "invitation" ? null : <Moves kind={kind} id={id} />}
        </>
      ) : null}
    </div>
  );
}

/** A run that is over is noted as settled; one that still waits, by what is done about it. A case has a page of its own. */
function Attention({ run }: { run: Run }) {
  const { kind } = run;
  if (run.ended_at !== null) return <Settle run={run} />;
  if (kind === "placement") return <SettlePlacement run={run} />;
  return kind === "purchase" || kind === "invoice_payment" ? (
    <GiveUp run={{ ...run, kind }} />
  ) : null;
}

function Facts({ run, reference }: { run: Run; reference: string | undefined }) {
  const { t } = useLingui();
  const fact = (label: string, value: ReactNode) =>
    value ? (
      <>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </>
    ) : null;
  return (
    <dl className={classes.facts}>
      {fact(t`State`, <RunStatus run={run} />)}
      {fact(t`Trouble`, run.error || run.pending.length > 0 ? <Trouble run={run} /> : null)}
      {fact(t`Began`, <Age since={run.created_at} />)}
      {fact(t`Last change`, <Age since={run.updated_at} />)}
      {fact(t`Compared with Temporal`, run.checked_at ? <Age since={run.checked_at} /> : null)}
      {fact(t`Business code`, run.partner)}
      {fact(t`Dealer`, run.dealer_id)}
      {fact(t`Site`, run.site)}
      {fact(t`Run`, run.id)}
      {fact(t`Workflow`, run.workflow_id)}
      {fact(
        t`Last request`,
        reference ? (
          <Link to="/audit" search={{ request_id: reference }}>
            {reference}
          </Link>
        ) : null,
      )}
      {fact(t`Look`, <RunLinks run={run} />)}
    </dl>
  );
}
