import { Trans } from "@lingui/react/macro";
import { isOffered } from "~/shared/firmware/flow";
import { Panel } from "~/shared/ui/screens/panel";
import { CommandBench } from "../../commands/command-bench";
import { OwnFirmware } from "../../parts/own-firmware";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function DeviceTesting({ run }: { run: Run }) {
  const { beside, facts } = run.answer.view;
  return (
    <>
      <Panel className={classes.body}>
        {beside ? (
          <>
            <p role="status">
              {beside === "failed" ? (
                facts.firmware && isOffered(facts.firmware, "RETRY") ? (
                  <Trans>
                    The firmware was not updated. Try again, or go on without it and say why.
                  </Trans>
                ) : (
                  <Trans>
                    The firmware was not updated. Go on without it and say why, or go back to the
                    check of the firmware, which begins it again.
                  </Trans>
                )
              ) : (
                <Trans>
                  The tests wait for the firmware and begin when its update is over. You can close
                  this page meanwhile. Keep the device on power.
                </Trans>
              )}
            </p>
            <OwnFirmware run={run} />
          </>
        ) : (
          <>
            <p>
              <Trans>
                Try what the vehicle should do. One command at a time; nothing is repeated by
                itself.
              </Trans>
            </p>
            <CommandBench run={run} rows={facts.commands} />
          </>
        )}
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Testing is done</Trans>}
        passes="check-firmware"
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
