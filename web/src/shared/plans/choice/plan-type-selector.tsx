import { Trans, useLingui } from "@lingui/react/macro";
import { useId, useState } from "react";
import { LazyImage } from "~/shared/ui/pictures/lazy-image";
import type { Offer } from "../types";
import { DESCRIPTION_WORDS } from "../words";
import { PlanPrice } from "./plan-price";
import classes from "./selectors.module.css";
import { TermSwitch } from "./term-switch";
import { atTerm, type TermName, USUAL_TERM } from "./terms";

type PlanTypeSelectorProps = {
  plans: readonly Offer[];
  /** The slug of the chosen one. */
  value: string | undefined;
  /** Hears of the plan, and of the plan with the term that its price is shown for. */
  onChange: (slug: string, planId: string | undefined) => void;
  /** The term of the prices at first. */
  term?: TermName;
  /** Whether the term of all prices can be switched here. */
  switched?: boolean;
  /** The plan that the device has now. */
  present?: string;
  disabled?: boolean;
};

/** The plan-type selector (shop spec 2): one of the plans, each with what it brings and what it costs for a term. */
export function PlanTypeSelector(props: PlanTypeSelectorProps) {
  const { plans, value, onChange, present, disabled = false } = props;
  const [term, setTerm] = useState(props.term ?? USUAL_TERM);
  const { t, i18n } = useLingui();
  const group = useId();
  function show(next: TermName) {
    setTerm(next);
    const chosen = plans.find(({ slug }) => slug === value);
    if (chosen) onChange(chosen.slug, atTerm(chosen, next)?.id);
  }

  return (
    <>
      {props.switched ? (
        <TermSwitch plans={plans} value={term} onChange={show} disabled={disabled} />
      ) : null}
      <fieldset id="plan-type-selector" className={classes.types} disabled={disabled}>
        <legend className="quiet">{t`Plan type`}</legend>
        {plans.map((plan) => {
          const words = DESCRIPTION_WORDS[plan.description];
          const shown = atTerm(plan, term);
          return (
            <label key={plan.slug} className={classes.type} data-raised={plan.popular || undefined}>
              <input
                type="radio"
                name={group}
                value={plan.slug}
                checked={value === plan.slug}
                onChange={() => onChange(plan.slug, shown?.id)}
              />
              <strong>{plan.display_name}</strong>
              <LazyImage url={plan.image} alt="" className={classes.picture} />
              <span className={classes.what}>{words ? i18n._(words) : plan.description}</span>
              {shown ? <PlanPrice of={shown} /> : null}
              {plan.popular ? (
                <small className={classes.edge}>
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
    </>
  );
}
