import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { PlanPrice } from "~/shared/plans/choice/plan-price";
import { TermSwitch } from "~/shared/plans/choice/term-switch";
import { atTerm, USUAL_TERM } from "~/shared/plans/choice/terms";
import type { PlanGroup } from "~/shared/plans/types";
import { DESCRIPTION_WORDS } from "~/shared/plans/words";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { LazyImage } from "~/shared/ui/pictures/lazy-image";
import { NoRight } from "./buyers";
import classes from "./plan-pictures.module.css";

/** What there is to buy, at a glance, each with the way to it for whom may buy it. */
export function PlanPictures({ plans }: { plans: readonly PlanGroup[] }) {
  const { t, i18n } = useLingui();
  const buys = mayBuyPlans(useSession());
  const inWords = (text: string) => {
    const words = DESCRIPTION_WORDS[text];
    return words ? i18n._(words) : text;
  };
  const [term, setTerm] = useState<Parameters<typeof atTerm>[1]>(USUAL_TERM);
  const shown = plans.map((plan) => ({ plan, price: atTerm(plan, term) }));
  return (
    <>
      <TermSwitch plans={plans} value={term} onChange={setTerm} />
      <ul className={classes.plans}>
        {shown.map(({ plan, price }) => (
          <li key={plan.slug} className={classes.plan} data-raised={plan.popular || undefined}>
            <LazyImage
              url={plan.image}
              alt={inWords(plan.image_description)}
              className={classes.picture}
            />
            <h3>{plan.display_name}</h3>
            {plan.popular ? (
              <small className={classes.popular}>
                <Trans>Most popular</Trans>
              </small>
            ) : null}
            <p>{inWords(plan.description)}</p>
            {price ? <PlanPrice of={price} /> : null}
            {buys ? (
              <Link
                to="/subscriptions/plans"
                search={{ type: plan.slug, plan: price?.id }}
                className={classes.way}
                aria-label={t`Choose ${plan.display_name}`}
              >
                <Trans>Choose</Trans>
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
      {buys ? null : (
        <p role="status">
          <NoRight />
        </p>
      )}
    </>
  );
}
