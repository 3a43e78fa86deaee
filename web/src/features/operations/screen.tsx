import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { NotSettled } from "./effects";
import { Glance } from "./glance";
import { Held, NotDelivered, Repaired, Tallies, ThirdParties } from "./more";
import classes from "./operations.module.css";
import { OpenPayloads } from "./payloads";
import { PayoutsSection } from "./payouts/section";
import { type OperationsAddress, overviewQuery } from "./queries";
import { ReconciliationSection } from "./reconciliation/section";
import { Runs } from "./runs/runs";

/** What operators look at, fresh every few seconds. An error keeps what was there. */
export function OperationsScreen({ address }: { address: OperationsAddress }) {
  const { payouts, differences, ...filters } = address;
  const found = useQuery(overviewQuery);
  const now = found.data;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Heading>
          <Trans>Operations</Trans>
        </Heading>
        <Link to="/operations/cases" className={classes.more}>
          <Trans>Cases</Trans>
        </Link>
        <Link to="/operations/account" className={classes.more}>
          <Trans>Look up or lock an account</Trans>
        </Link>
        <Link to="/operations/activations" className={classes.more}>
          <Trans>Where activations are stuck</Trans>
        </Link>
        <Link to="/operations/erp" className={classes.more}>
          <Trans>Compared with the ERP</Trans>
        </Link>
        {now?.seals_payloads ? <OpenPayloads /> : null}
      </div>
      {found.isPending ? <Skeleton height={110} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {now ? <Glance now={now} /> : null}
      {found.isPending ? null : (
        <>
          <Runs filters={filters} others={{ payouts, differences }} />
          <ReconciliationSection address={address} />
          <PayoutsSection address={address} />
        </>
      )}
      {now ? (
        <>
          <Held orphans={now.orphans} />
          <NotDelivered logs={now.undelivered} />
          <NotSettled effects={now.unsettled} />
          <ThirdParties parties={now.third_parties} />
          <Tallies tallies={now.tallies} />
          <Repaired repaired={now.repaired} />
        </>
      ) : null}
    </div>
  );
}
