import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { OwnFirmware } from "../../parts/own-firmware";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

/** Since this version of the steps the update goes on beside the next ones. */
const BESIDE_SINCE = 3;

export function CheckFirmware({ run }: { run: Run }) {
  const { view } = run.answer;
  const { firmware } = view.facts;
  return (
    <>
      <Panel className={classes.body}>
        {view.flow_version >= BESIDE_SINCE ? (
          <p>
            <Trans>
              We look for newer firmware and install it while you go on. The tests wait for it. The
              device must stay on power until that is over.
            </Trans>
          </p>
        ) : run.is("waiting") ? (
          <p>
            <Trans>
              The update goes on by itself, also when you close this page. Keep the device on power.
            </Trans>
          </p>
        ) : (
          <p>
            <Trans>
              We look for newer firmware and install it. The device must stay on power until that is
              over.
            </Trans>
          </p>
        )}
        <OwnFirmware run={run} />
      </Panel>
      <StepActions
        run={run}
        label={firmware ? <Trans>Check again</Trans> : <Trans>Check and update</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
