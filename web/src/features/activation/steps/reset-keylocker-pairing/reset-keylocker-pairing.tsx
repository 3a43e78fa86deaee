import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { KeylockerPanel } from "../../parts/keylocker-panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function ResetKeylockerPairing({ run }: { run: Run }) {
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            The KeyLocker forgets what it was paired with and pairs with this device anew. Skip this
            if the pairing shall stay as it is.
          </Trans>
        </p>
        <KeylockerPanel view={run.answer.view} />
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Reset the pairing</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
