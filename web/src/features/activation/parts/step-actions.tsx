import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { mainAction, TaskFoot } from "~/shared/ui/screens/task-foot";
import { isOnStep } from "../commands/acting";
import { Failure } from "../commands/failure";
import { SkipDialog } from "../dialogs/skip";
import { isAtWork, type Run } from "../session-hook";
import type { StepName } from "../types";
import { reachOf, useKept } from "../waiting/outbox";
import classes from "./step-actions.module.css";

type StepActionsProps = {
  run: Run;
  /** The one thing to do here; a form's own submit when `form` names it. Without it the step can only be skipped. */
  label?: ReactNode;
  onSubmit?: () => void;
  form?: string;
  /** What the step needs is not there yet. */
  unready?: boolean;
  /** Something else on the step is the next thing to do, and this is the way past it. */
  aside?: boolean;
  /** An earlier step that a skip passes over here, instead of the present one. */
  passes?: StepName;
};

/** The foot of every step: the one next thing, where the thumb is, and skip where it may be. What the server does not allow is off. */
export function StepActions({
  run,
  label,
  onSubmit,
  form,
  unready = false,
  aside = false,
  passes,
}: StepActionsProps) {
  const [skipping, setSkipping] = useState(false);
  const online = useOnline();
  const { id, seq } = run.answer;
  const waits = useKept().some(({ at, refused }) => !refused && at.id === id && at.seq === seq);
  const reach = { SUBMIT: reachOf(run, "SUBMIT"), SKIP: reachOf(run, "SKIP") };
  const may = (event: "SUBMIT" | "SKIP") =>
    !waits && (online ? run.can(event) : reach[event] !== undefined);
  const working = isAtWork(run);
  const later = !online && reach.SUBMIT !== undefined;
  const isKept = waits || run.answer.view.held;
  return (
    <TaskFoot>
      {run.failed && !isOnStep(run, run.failed) ? (
        <div className={classes.failed}>
          <Failure run={run} />
        </div>
      ) : null}
      {run.answer.view.held ? (
        <Button
          size="lg"
          variant="default"
          disabled={!online || !run.can("BACK")}
          onClick={() => run.ask({ type: "BACK" })}
        >
          {run.answer.view.kept ? <Trans>Change it</Trans> : <Trans>Take it back</Trans>}
        </Button>
      ) : null}
      {run.offered("SKIP") && label !== undefined ? (
        <Button
          size="lg"
          variant="subtle"
          disabled={!may("SKIP")}
          onClick={() => setSkipping(true)}
        >
          {passes ? <Trans>Go on without</Trans> : <Trans>Skip</Trans>}
        </Button>
      ) : null}
      {label === undefined ? (
        <Button
          size="lg"
          {...mainAction}
          variant={aside ? "subtle" : undefined}
          disabled={!may("SKIP")}
          onClick={() => setSkipping(true)}
        >
          <Trans>Go on without</Trans>
        </Button>
      ) : (
        <Button
          size="lg"
          {...mainAction}
          type={form ? "submit" : "button"}
          form={form}
          onClick={onSubmit}
          disabled={unready || working || !may("SUBMIT")}
        >
          {isKept ? (
            <Trans>Kept</Trans>
          ) : working ? (
            <Trans>In progress…</Trans>
          ) : later ? (
            <Trans>Keep until there is a signal</Trans>
          ) : (
            label
          )}
        </Button>
      )}
      {!online && !waits ? (
        <p className={classes.why}>
          <Trans>Offline: nothing can be sent to the device now.</Trans>
        </p>
      ) : null}
      {skipping ? <SkipDialog run={run} step={passes} onClose={() => setSkipping(false)} /> : null}
    </TaskFoot>
  );
}
