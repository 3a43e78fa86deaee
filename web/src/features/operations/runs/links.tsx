import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import classes from "../operations.module.css";
import type { Run } from "../queries";

/** Where else a run can be seen: its own page of the portal, and Temporal's. */
export function RunLinks({ run }: { run: Run }) {
  const { t } = useLingui();
  return (
    <span className={classes.links}>
      {run.kind === "activation" ? (
        <Link
          to="/activation/device"
          search={{ id: run.id }}
          aria-label={t`Open ${run.subject} in the portal`}
        >
          <Trans>Portal</Trans>
        </Link>
      ) : null}
      {run.kind === "case" ? (
        <Link to="/operations/case" search={{ id: run.id }} aria-label={t`Case of ${run.subject}`}>
          <Trans>Case</Trans>
        </Link>
      ) : null}
      <a
        href={run.temporal_url}
        target="_blank"
        rel="noreferrer"
        aria-label={t`Open ${run.workflow_id} in Temporal`}
      >
        Temporal
      </a>
    </span>
  );
}
