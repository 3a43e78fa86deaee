import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function PowerOnDevice({ run }: { run: Run }) {
  return (
    <>
      <Panel className={classes.body}>
        <ol className={classes.hints}>
          <li>
            <Trans>Connect the device to constant 12 V and to ground.</Trans>
          </li>
          <li>
            <Trans>Wait until its status light blinks slowly: it has found the network.</Trans>
          </li>
          <li>
            <Trans>Keep the vehicle where it has a view of the sky, if you can.</Trans>
          </li>
        </ol>
      </Panel>
      <StepActions
        run={run}
        label={<Trans>The device is on</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
