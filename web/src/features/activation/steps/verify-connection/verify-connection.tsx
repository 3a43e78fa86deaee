import { Trans } from "@lingui/react/macro";
import { Remaining } from "~/shared/time/age";
import { Panel } from "~/shared/ui/screens/panel";
import { CommandLine } from "../../commands/command-rows";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function VerifyConnection({ run }: { run: Run }) {
  const { view } = run.answer;
  const { connection } = view.facts;
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            We ask the device where it is. Its answer proves that it hears us and that we hear it;
            this takes up to half a minute.
          </Trans>
        </p>
        <div aria-live="polite">{connection ? <CommandLine row={connection} /> : null}</div>
        {run.is("waiting") && view.deadline ? (
          <p>
            <Trans>
              Waiting for the device, at most <Remaining until={view.deadline} /> more.
            </Trans>
          </p>
        ) : null}
      </Panel>
      <StepActions
        run={run}
        label={connection?.settled_at ? <Trans>Ask again</Trans> : <Trans>Ask the device</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
