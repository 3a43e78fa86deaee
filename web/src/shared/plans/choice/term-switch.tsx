import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";
import type { Offer } from "../types";
import { TERM_WORDS } from "../words";
import classes from "./term-switch.module.css";
import { savedBy, type TermName, termsOf } from "./terms";

type TermSwitchProps = {
  plans: readonly Offer[];
  value: TermName;
  onChange: (term: TermName) => void;
  disabled?: boolean;
};

/** For how long, for all the plans in view at once, with what each term saves. */
export function TermSwitch({ plans, value, onChange, disabled }: TermSwitchProps) {
  const { t, i18n } = useLingui();
  const name = useId();
  const terms = termsOf(plans);
  if (terms.length < 2) return null;
  return (
    <fieldset className={classes.terms} disabled={disabled}>
      <legend className="quiet">{t`Show prices for`}</legend>
      {terms.map((term) => {
        const saved = savedBy(term, plans);
        return (
          <label key={term} className={classes.term}>
            <input
              type="radio"
              name={name}
              value={term}
              checked={term === value}
              onChange={() => onChange(term)}
            />
            <span>{i18n._(TERM_WORDS[term])}</span>
            {saved > 0 ? (
              <small>
                <Trans>save {saved}%</Trans>
              </small>
            ) : null}
          </label>
        );
      })}
    </fieldset>
  );
}
