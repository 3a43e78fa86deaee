import { Trans } from "@lingui/react/macro";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Panel } from "~/shared/ui/screens/panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";
import { BuyPlan } from "./buy-plan";
import { PaidByOther } from "./paid-by-other";
import { PlanUnderWay } from "./plan-under-way";
import { WhoCanBuy } from "./who-can-buy";

/** A plan for the device: chosen and paid here, or passed by with a reason. The purchase goes on by itself. */
export function PurchasePlan({ run }: { run: Run }) {
  const now = useSession();
  const may = mayBuyPlans(now);
  const signedIn = now.state === "signed-in";
  const { facts, type, plan_purchased } = run.answer.view;
  const bought = facts.purchase?.purchase_id;
  const waits = run.is("busy") || run.is("waiting");
  const paidByOther = <PaidByOther id={run.answer.view.id} />;
  return (
    <>
      <Panel className={classes.body}>
        <p>
          {plan_purchased ? (
            <Trans>This device has a data plan. One that is bought here takes its place.</Trans>
          ) : type === "purchase-subscription" ? (
            <Trans>
              This device has no data plan yet. The app of the vehicle's owner works once there is
              one.
            </Trans>
          ) : (
            <Trans>
              This device has no data plan yet. It can be activated all the same; the app of the
              vehicle's owner works once there is a plan.
            </Trans>
          )}
        </p>
        {waits && bought && may ? (
          <PlanUnderWay key={bought} id={bought} otherwise={paidByOther} />
        ) : waits && bought ? (
          paidByOther
        ) : may ? (
          <BuyPlan run={run} />
        ) : (
          <>
            <p>
              <Trans>
                A plan can be bought later. Go on without one and say why, so that your colleagues
                know.
              </Trans>
            </p>
            {signedIn && !run.answer.view.guest ? <WhoCanBuy run={run} /> : null}
          </>
        )}
      </Panel>
      <StepActions
        run={run}
        label={waits ? <Trans>Waiting for the plan</Trans> : undefined}
        aside={may}
      />
    </>
  );
}
