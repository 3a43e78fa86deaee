import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { KeylockerPanel } from "../../parts/keylocker-panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";
import { PinCard } from "./pin-card";

export function KeylockerPinCodes({ run }: { run: Run }) {
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            Pins go straight to the KeyLocker. Nobody can read them here afterwards, not even you:
            note them for the owner.
          </Trans>
        </p>
        <PinCard run={run} slot="master" />
        <PinCard run={run} slot="secondary" />
        <KeylockerPanel view={run.answer.view} />
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Go on</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
