import { useLingui } from "@lingui/react/macro";
import { useId } from "react";
import { dollars } from "~/shared/catalogue/money";
import type { Offer } from "../types";
import { TERM_WORDS } from "../words";
import classes from "./selectors.module.css";

type PlanTermSelectorProps = {
  plan: Offer;
  /** The chosen plan with its term. */
  value: string | undefined;
  onChange: (planId: string) => void;
  disabled?: boolean;
};

/** The plan-term selector (shop spec 2): for how long, and what that costs for one device before tax. */
export function PlanTermSelector({
  plan,
  value,
  onChange,
  disabled = false,
}: PlanTermSelectorProps) {
  const { t, i18n } = useLingui();
  const group = useId();
  return (
    <fieldset id="plan-term-selector" className={classes.terms} disabled={disabled}>
      <legend className="quiet">{t`Term`}</legend>
      {plan.terms.map(({ id, term, amount }) => (
        <label key={id} className={classes.term}>
          <input
            type="radio"
            name={group}
            value={id}
            checked={value === id}
            onChange={() => onChange(id)}
          />
          <strong>{i18n._(TERM_WORDS[term])}</strong>
          <span>{dollars(i18n, amount)}</span>
        </label>
      ))}
    </fieldset>
  );
}
