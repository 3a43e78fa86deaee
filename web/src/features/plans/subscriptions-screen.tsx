import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { OpenPurchases } from "~/shared/plans/purchase/open-purchases";
import { plansQuery } from "~/shared/plans/queries";
import { useBusiness } from "~/shared/session/session";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Comparison } from "./parts/comparison";
import { Customers } from "./parts/customers/customers";
import { PlanPictures } from "./parts/plan-pictures";
import classes from "./plans.module.css";

type SubscriptionsScreenProps = {
  /** The beginning of a serial number. */
  startsWith: string;
  state: "active" | "ending" | "suspended" | "ended" | undefined;
};

/** Pricing Plans, and the customers' devices with theirs (shop spec 2). */
export function SubscriptionsScreen({ startsWith, state }: SubscriptionsScreenProps) {
  const plans = useQuery(plansQuery);
  const business = useBusiness()?.code;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Heading>
          <Trans>Pricing Plans</Trans>
        </Heading>
        <Link to="/subscriptions/receipts" className={classes.plain}>
          <Trans>Receipts</Trans>
        </Link>
      </div>
      <OpenPurchases />
      {plans.isPending ? <Skeleton height={360} radius="lg" /> : null}
      {plans.error ? (
        <ProblemNote problem={problemOf(plans.error)} onRetry={() => void plans.refetch()} />
      ) : null}
      {plans.data?.results.length === 0 ? (
        <p role="status">
          <Trans>No plans are sold at the moment.</Trans>
        </p>
      ) : null}
      {plans.data && plans.data.results.length > 0 ? (
        <section className={classes.section} aria-labelledby="plans">
          <h2 id="plans" className="quiet">
            <Trans>Plans</Trans>
          </h2>
          <PlanPictures plans={plans.data.results} />
          <p className={classes.soft}>
            <Trans>For one device, for the whole term, in US dollars before tax.</Trans>
          </p>
          <details className={classes.compare}>
            <summary>
              <Trans>Compare the plans</Trans>
            </summary>
            <Comparison plans={plans.data.results} />
          </details>
        </section>
      ) : null}
      {plans.isPending ? null : <Customers key={business} startsWith={startsWith} state={state} />}
    </div>
  );
}
