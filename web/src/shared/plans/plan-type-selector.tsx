import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";
import { dollars } from "~/shared/catalogue/money";
import { LazyImage } from "~/shared/ui/lazy-image";
import classes from "./selectors.module.css";
import type { Offer } from "./types";
import { DESCRIPTION_WORDS } from "./words";

type PlanTypeSelectorProps = {
  plans: readonly Offer[];
  /** The slug of the chosen one. */
  value: string | undefined;
  onChange: (slug: string) => void;
  /** The plan that the device has now. */
  present?: string;
  disabled?: boolean;
};

/** The plan-type selector (shop spec 2): one of the plans, each with what it brings and from what price. */
export function PlanTypeSelector(props: PlanTypeSelectorProps) {
  const { plans, value, onChange, present, disabled = false } = props;
  const { t, i18n } = useLingui();
  const group = useId();
  return (
    <fieldset id="plan-type-selector" className={classes.types} disabled={disabled}>
      <legend className="quiet">{t`Plan type`}</legend>
      {plans.map((plan) => {
        const words = DESCRIPTION_WORDS[plan.description];
        return (
          <label key={plan.slug} className={classes.type}>
            <input
              type="radio"
              name={group}
              value={plan.slug}
              checked={value === plan.slug}
              onChange={() => onChange(plan.slug)}
            />
            <strong>{plan.display_name}</strong>
            <LazyImage url={plan.image} alt="" className={classes.picture} />
            <span className={classes.what}>{words ? i18n._(words) : plan.description}</span>
            <span className={classes.from}>
              <Trans>from {dollars(i18n, leastOf(plan))}</Trans>
            </span>
            {plan.popular ? (
              <small className={classes.badge}>
                <Trans>Most popular</Trans>
              </small>
            ) : null}
            {present === plan.slug ? (
              <small className={classes.badge}>
                <Trans>Present plan</Trans>
              </small>
            ) : null}
          </label>
        );
      })}
    </fieldset>
  );
}

function leastOf(plan: Offer): number {
  return Math.min(...plan.terms.map(({ amount }) => amount));
}
