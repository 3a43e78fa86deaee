import { Trans } from "@lingui/react/macro";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { purchaseQuery } from "~/shared/plans/queries";
import { answersApprovals } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { placementQuery } from "../queries";
import classes from "./approvals.module.css";
import { ApproveOrder } from "./order";
import { ApprovePurchase } from "./purchase";
import type { WaitingOrder } from "./queries";
import { WaitingOrders } from "./waiting-orders";

type Kind = WaitingOrder["kind"];

/** What waits for an owner of the business. */
export function ApprovalsScreen() {
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Approvals</Trans>
      </Heading>
      <WaitingOrders />
    </div>
  );
}

/** One order, or one purchase of plans, as it was frozen, and the owner's answer. */
export function ApprovalScreen({ id, kind }: { id: string; kind: Kind }) {
  const now = useSession();
  if (now.state !== "anonymous" && !answersApprovals(now)) return <Navigate to="/" />;
  return (
    <div className={classes.page}>
      {kind === "purchase" ? <OnePurchase id={id} /> : <OneOrder token={id} />}
      <Link to="/approvals/{-$id}" params={{ id: undefined }} className={classes.way}>
        <Trans>All approvals</Trans>
      </Link>
    </div>
  );
}

function OneOrder({ token }: { token: string }) {
  const found = useQuery(placementQuery(token));
  return found.data ? <ApproveOrder first={found.data} /> : <NotFound found={found} />;
}

function OnePurchase({ id }: { id: string }) {
  const found = useQuery(purchaseQuery(id));
  return found.data ? <ApprovePurchase first={found.data} /> : <NotFound found={found} />;
}

function NotFound({ found }: { found: UseQueryResult<unknown> }) {
  if (found.isPending) return <PageSkeleton />;
  return (
    <>
      <Heading>
        <Trans>Approval</Trans>
      </Heading>
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <EmptyState
          action={
            <Link to="/">
              <Trans>Back to Home</Trans>
            </Link>
          }
        >
          <Trans>This waits for nobody.</Trans>
        </EmptyState>
      )}
    </>
  );
}
