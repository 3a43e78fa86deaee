import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { shownPhone } from "~/shared/forms/validation";
import { partnerQuery } from "~/shared/partners/queries";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./dealers.module.css";

/** What the ERP knows of the business: who it is, where, what it owes, and whom it may call. */
export function BusinessFacts({ code }: { code: string }) {
  const { i18n } = useLingui();
  const found = useQuery(partnerQuery(code));
  if (found.error) {
    return <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />;
  }
  if (!found.data) return <Skeleton height={220} radius="lg" />;
  const partner = found.data;
  const reps = [
    ...(partner.insideSalesRep ? [partner.insideSalesRep] : []),
    ...partner.outsideSalesRep,
  ];
  return (
    <>
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
      {partner.accountBalance == null || partner.creditLimit == null ? null : (
        <Panel className={classes.panel} aria-labelledby="account">
          <h2 id="account">
            <Trans>Account</Trans>
          </h2>
          <p>
            <Trans>Balance: {dollars(i18n, partner.accountBalance)}</Trans>
          </p>
          <p>
            <Trans>Credit limit: {dollars(i18n, partner.creditLimit)}</Trans>
          </p>
          <p>
            <Trans>Invoices past due: {i18n.number(partner.pastDueInvoices ?? 0)}</Trans>
          </p>
        </Panel>
      )}
      {reps.length > 0 ? (
        <Panel className={classes.panel} aria-labelledby="reps">
          <h2 id="reps">
            <Trans>Your sales reps</Trans>
          </h2>
          <ul className={classes.list}>
            {reps.map((rep) => (
              <RepLine key={rep.id} rep={rep} inside={rep.id === partner.insideSalesRep?.id} />
            ))}
          </ul>
        </Panel>
      ) : null}
    </>
  );
}

function RepLine({ rep, inside }: { rep: Schemas["RepOut"]; inside: boolean }) {
  return (
    <li>
      <span>
        {rep.name} ({inside ? <Trans>inside sales rep</Trans> : <Trans>outside sales rep</Trans>})
      </span>
      <span className={classes.actions}>
        <a href={`mailto:${rep.email}`} className={classes.way}>
          {rep.email}
        </a>
        {rep.phone ? (
          <a href={`tel:${rep.phone.replaceAll(/[^\d+]/g, "")}`} className={classes.way}>
            {shownPhone(rep.phone)}
          </a>
        ) : null}
      </span>
    </li>
  );
}
