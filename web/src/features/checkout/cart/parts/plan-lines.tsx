import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dismiss, tell } from "~/shared/alerts/alerts";
import { useSend } from "~/shared/api/send";
import { choosePlan, dropPlan, planLinesQuery } from "~/shared/plans/queries";
import type { PlanLine } from "~/shared/plans/types";
import { TERM_WORDS } from "~/shared/plans/words";
import { handOn } from "~/shared/ui/hand-on";
import { LineItem, LineItems } from "~/shared/ui/lists/line-item";
import { CrossIcon } from "~/shared/ui/pictures/icons";
import classes from "./plan-lines.module.css";

/** The plans in the cart, each for one device. What they cost is worked out on the way to the payment. */
export function PlanLines() {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const found = useQuery(planLinesQuery);
  const { busy, send } = useSend({ alert: true });
  const lines = found.data?.results ?? [];
  if (lines.length === 0) return null;

  const remove = ({ device_key, plan_id }: PlanLine) =>
    send(async () => {
      await dropPlan(cache, device_key);
      const told = tell({
        content: i18n._(msg`The plan for ${device_key} was taken out of the cart.`),
        type: "success",
        action: {
          label: msg`Undo`,
          run: () => {
            dismiss(told);
            void send(() => choosePlan(cache, device_key, plan_id));
          },
        },
      });
    });

  return (
    <section className={classes.plans} aria-labelledby="plans-in-cart">
      <h2 id="plans-in-cart">
        <Trans>Plans</Trans>
      </h2>
      <LineItems aria-label={t`Plans in the cart`} aria-busy={busy}>
        {lines.map((line) => (
          <LineItem
            key={line.device_key}
            name={line.new_plan_name}
            code={line.device_key}
            action={
              <>
                <Link
                  to="/subscriptions/plans"
                  search={{ device: line.device_key, slide: "plan-type-selector" }}
                  className={classes.change}
                  aria-label={t`Change the plan: ${line.device_key}`}
                >
                  <Trans>Change</Trans>
                </Link>
                <button
                  ref={handOn}
                  type="button"
                  className={classes.remove}
                  aria-label={t`Remove: ${line.device_key}`}
                  disabled={busy}
                  onClick={() => void remove(line)}
                >
                  <CrossIcon />
                </button>
              </>
            }
          >
            <small>{i18n._(TERM_WORDS[line.newPricingPlan.term])}</small>
          </LineItem>
        ))}
      </LineItems>
      <Link to="/cart/checkout/subscriptions" className={classes.on}>
        <Trans>Purchase the plans</Trans>
      </Link>
    </section>
  );
}
