import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { Summary } from "../../ended/summary";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function CompleteActivation({ run }: { run: Run }) {
  const { view } = run.answer;
  return (
    <>
      <Panel className={classes.body}>
        <p>
          {view.type === "purchase-subscription" ? (
            <Trans>Please look over what was done. Completing leaves the device as it is.</Trans>
          ) : (
            <Trans>
              Please look over what was done. Completing activates the device and marks it as
              installed.
            </Trans>
          )}
        </p>
        <Summary view={view} />
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Complete the activation</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
