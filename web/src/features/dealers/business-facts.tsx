import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { AccountBox } from "~/shared/partners/account-box";
import { partnerQuery } from "~/shared/partners/queries";
import { hasReps, Reps } from "~/shared/partners/reps";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./dealers.module.css";

/** What the ERP knows of the business: who it is, where, what it owes, and whom it may call. */
export function BusinessFacts({ code }: { code: string }) {
  const found = useQuery(partnerQuery(code));
  const failure = found.error && (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  );
  if (isLost(found)) return failure;
  if (!found.data) return <Skeleton height={220} radius="lg" />;
  const partner = found.data;
  return (
    <>
      {failure}
      <Panel className={classes.panel} aria-labelledby="facts">
        <h2 id="facts">{partner.companyName}</h2>
        <p>{partner.sapBpCode}</p>
        <ul className={classes.list}>
          {(partner.addresses ?? []).map((one) => (
            <li key={one.id}>
              <strong>
                {one.type === "BILLING" ? (
                  <Trans>Billing address</Trans>
                ) : (
                  <Trans>Shipping address</Trans>
                )}
              </strong>
              <span>
                {one.companyName}, {one.streetAddress1}, {one.city} {one.countryArea}{" "}
                {one.postalCode}, {one.country}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <AccountBox />
      {hasReps(partner) ? (
        <Panel className={classes.panel} aria-labelledby="reps">
          <h2 id="reps">
            <Trans>Your sales reps</Trans>
          </h2>
          <Reps of={partner} />
        </Panel>
      ) : null}
    </>
  );
}
