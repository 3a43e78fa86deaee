import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/panel";
import { StepActions } from "../parts/step-actions";
import classes from "../parts/step-body.module.css";
import type { Run } from "../session-hook";

/** Plans are not sold here yet: the step is passed by, with a reason. */
export function PurchasePlan({ run }: { run: Run }) {
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            This device has no data plan yet. It can be activated all the same; the app of the
            vehicle's owner works once there is a plan.
          </Trans>
        </p>
        <p>
          <Trans>
            A plan can be bought later. Go on without one and say why, so that your colleagues know.
          </Trans>
        </p>
      </Panel>
      <StepActions run={run} />
    </>
  );
}
