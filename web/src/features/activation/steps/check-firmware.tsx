import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/panel";
import { FirmwareRun } from "../parts/firmware-run";
import { StepActions } from "../parts/step-actions";
import classes from "../parts/step-body.module.css";
import type { Run } from "../session-hook";

export function CheckFirmware({ run }: { run: Run }) {
  const { view } = run.answer;
  const { firmware } = view.facts;
  return (
    <>
      <Panel className={classes.body}>
        {view.phase === "waiting" ? (
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
        {firmware ? <FirmwareRun run={run} firmware={firmware} /> : null}
      </Panel>
      <StepActions
        run={run}
        label={firmware ? <Trans>Check again</Trans> : <Trans>Check and update</Trans>}
        onSubmit={() => run.act({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
