import { Trans } from "@lingui/react/macro";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Panel } from "~/shared/ui/panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";
import { BuyPlan } from "./buy-plan";
import { PlanUnderWay } from "./plan-under-way";

/** A plan for the device: chosen and paid here, or passed by with a reason. The purchase goes on by itself. */
export function PurchasePlan({ run }: { run: Run }) {
  const may = mayBuyPlans(useSession());
  const { facts } = run.answer.view;
  const bought = facts.purchase?.purchase_id;
  const waits = run.is("busy") || run.is("waiting");
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            This device has no data plan yet. It can be activated all the same; the app of the
            vehicle's owner works once there is a plan.
          </Trans>
        </p>
        {waits && bought ? (
          <PlanUnderWay key={bought} id={bought} />
        ) : may ? (
          <BuyPlan run={run} />
        ) : (
          <p>
            <Trans>
              A plan can be bought later. Go on without one and say why, so that your colleagues
              know.
            </Trans>
          </p>
        )}
      </Panel>
      <StepActions run={run} label={waits ? <Trans>Waiting for the plan</Trans> : undefined} />
    </>
  );
}
