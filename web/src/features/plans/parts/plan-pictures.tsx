import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { PlanGroup } from "~/shared/plans/types";
import { DESCRIPTION_WORDS } from "~/shared/plans/words";
import { LazyImage } from "~/shared/ui/lazy-image";
import classes from "./plan-pictures.module.css";

/** What there is to buy, at a glance, each with the way to it. */
export function PlanPictures({ plans }: { plans: readonly PlanGroup[] }) {
  const { t, i18n } = useLingui();
  const inWords = (text: string) => {
    const words = DESCRIPTION_WORDS[text];
    return words ? i18n._(words) : text;
  };
  return (
    <ul className={classes.plans}>
      {plans.map((plan) => (
        <li key={plan.slug} className={classes.plan}>
          <LazyImage
            url={plan.image}
            alt={inWords(plan.image_description)}
            className={classes.picture}
          />
          <h3>
            {plan.display_name}
            {plan.popular ? (
              <small className={classes.popular}>
                <Trans>Most popular</Trans>
              </small>
            ) : null}
          </h3>
          <p>{inWords(plan.description)}</p>
          <Link
            to="/subscriptions/plans"
            search={{ type: plan.slug }}
            className={classes.way}
            aria-label={t`Choose ${plan.display_name}`}
          >
            <Trans>Choose</Trans>
          </Link>
        </li>
      ))}
    </ul>
  );
}
