import { Trans } from "@lingui/react/macro";
import { FirmwareRun } from "~/shared/firmware/run";
import type { FirmwareWish } from "~/shared/firmware/types";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Panel } from "~/shared/ui/panel";
import type { Action } from "../../calls";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

/** The run of an activation is asked through the activation, which guests may do too; overruling is an owner's. */
function actionOf(wish: FirmwareWish, runId: string): Action {
  switch (wish.type) {
    case "RETRY":
      return { type: "FIRMWARE_RETRY" };
    case "CANCEL":
      return { type: "FIRMWARE_CANCEL" };
    case "DEFER":
      return { type: "FIRMWARE_DEFER", until: wish.until };
    case "OVERRULE":
      return { type: "FIRMWARE_OVERRULE", runId, reason: wish.reason };
  }
}

export function CheckFirmware({ run }: { run: Run }) {
  const may = mayOverrule(useSession());
  const { view } = run.answer;
  const { firmware } = view.facts;
  return (
    <>
      <Panel className={classes.body}>
        {run.is("waiting") ? (
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
        {firmware ? (
          <FirmwareRun
            firmware={firmware}
            can={() => run.sent === undefined}
            mayOverrule={may}
            onWish={(wish) => run.ask(actionOf(wish, firmware.run_id))}
          />
        ) : null}
      </Panel>
      <StepActions
        run={run}
        label={firmware ? <Trans>Check again</Trans> : <Trans>Check and update</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
