import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import type { PlanGroup } from "~/shared/plans/types";
import { ADDED_BY_PLAN, TERM_WORDS } from "~/shared/plans/words";
import { CheckIcon } from "~/shared/ui/pictures/icons";
import classes from "./comparison.module.css";

/** The plans side by side: what each brings, and what each term costs at the caller's prices. */
export function Comparison({ plans }: { plans: readonly PlanGroup[] }) {
  const { t, i18n } = useLingui();
  const terms = plans[0]?.terms.map(({ term }) => term) ?? [];
  const features = ADDED_BY_PLAN.flatMap((added, from) =>
    added.map((words) => ({ words, from, name: i18n._(words) })),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t`Plans compared`}>
      <table className={classes.table}>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.slug} scope="col">
                {plan.display_name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {features.map(({ name, from }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {plans.map((plan, place) => (
                <td key={plan.slug}>
                  {place >= from ? (
                    <>
                      <CheckIcon size={18} />
                      <span className="quiet">
                        <Trans>Included</Trans>
                      </span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden="true">–</span>
                      <span className="quiet">
                        <Trans>Not included</Trans>
                      </span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
          {terms.map((term) => {
            return (
              <tr key={term}>
                <th scope="row">{i18n._(TERM_WORDS[term])}</th>
                {plans.map((plan) => {
                  const price = plan.terms.find((one) => one.term === term);
                  return (
                    <td key={plan.slug} className={classes.amount}>
                      {price ? dollars(i18n, price.amount) : "–"}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
