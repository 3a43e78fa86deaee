import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { CommandBench } from "../../commands/command-bench";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function DeviceConfiguration({ run }: { run: Run }) {
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            Set up the device for this vehicle: bring the vehicle into the state that a setting
            names, then send the setting. Send only what this vehicle needs.
          </Trans>
        </p>
        <CommandBench run={run} rows={run.answer.view.facts.configuration ?? []} />
      </Panel>
      <StepActions
        run={run}
        label={<Trans>The device is configured</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
