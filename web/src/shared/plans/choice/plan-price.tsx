import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import type { OfferedTerm } from "../types";
import classes from "./selectors.module.css";

/** What a plan costs for its term, and what that is a month. */
export function PlanPrice({ of }: { of: OfferedTerm }) {
  const { i18n } = useLingui();
  const amount = dollars(i18n, of.amount);
  const monthly = dollars(i18n, of.amount / of.months);
  const years = of.months / 12;
  return (
    <span className={classes.price}>
      {of.months === 1 ? (
        <Trans>
          <b>{amount}</b> a month
        </Trans>
      ) : (
        <>
          <span>
            <b>{amount}</b> <Plural value={years} one="a year" other="for # years" />
          </span>
          <small>
            <Trans>{monthly} a month</Trans>
          </small>
        </>
      )}
    </span>
  );
}
