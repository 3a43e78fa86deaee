import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/panel";
import { CommandBench } from "../../parts/command-bench";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function DeviceTesting({ run }: { run: Run }) {
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            Try what the vehicle should do. One command at a time; nothing is repeated by itself.
          </Trans>
        </p>
        <CommandBench run={run} rows={run.answer.view.facts.commands} />
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Testing is done</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
