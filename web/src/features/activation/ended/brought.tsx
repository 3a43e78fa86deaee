import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { TERM_WORDS } from "~/shared/plans/words";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import classes from "../parts/device-facts.module.css";
import { outcomeQuery } from "../queries";
import type { ActivationView } from "../types";
import { STEP_WORDS } from "../words";

/** What the activation brought: the plan, its term, price and receipt, the reward; and what was skipped, and why. */
export function Brought({ view }: { view: ActivationView }) {
  const { i18n } = useLingui();
  const mayBuy = mayBuyPlans(useSession());
  const found = useQuery(outcomeQuery(view.id));
  const plan = found.data?.plan?.status === "provisioned" ? found.data.plan : undefined;
  const reward = found.data?.reward;
  const skipped = view.plan.filter((step) => view.skipped[step] !== undefined);
  return (
    <dl className={classes.facts}>
      {plan ? (
        <>
          <dt>
            <Trans>Plan</Trans>
          </dt>
          <dd>
            {plan.plan_name}
            {plan.term ? `, ${i18n._(TERM_WORDS[plan.term])}` : null}
            {plan.total !== null ? `, ${dollars(i18n, plan.total)}` : null}
          </dd>
          <dt>
            <Trans>Paid by</Trans>
          </dt>
          <dd>{plan.paid_by}</dd>
        </>
      ) : null}
      {plan?.has_receipt && mayBuy ? (
        <>
          <dt>
            <Trans>Receipt</Trans>
          </dt>
          <dd>
            <Link to="/subscriptions/receipts" search={{ uuid: plan.purchase_id }}>
              <Trans>Show the receipt</Trans>
            </Link>
          </dd>
        </>
      ) : null}
      {typeof reward === "number" ? (
        <>
          <dt>
            <Trans>Your reward</Trans>
          </dt>
          <dd>{dollars(i18n, reward)}</dd>
        </>
      ) : view.facts.rewards ? (
        <>
          <dt>
            <Trans>Your reward</Trans>
          </dt>
          <dd>
            <Trans>is worked out within minutes</Trans>
          </dd>
        </>
      ) : null}
      {skipped.map((step) => {
        const words = STEP_WORDS[step];
        return (
          <div key={step} className={classes.skipped}>
            <dt>
              <Trans>Skipped: {words ? i18n._(words) : step}</Trans>
            </dt>
            <dd>{view.skipped[step]}</dd>
          </div>
        );
      })}
    </dl>
  );
}
