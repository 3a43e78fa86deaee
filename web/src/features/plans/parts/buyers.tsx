import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { askForBusiness } from "~/shared/session/ask-business";
import { mayBuyPlans } from "~/shared/session/rights";
import { needsBusiness, useSession } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/lists/empty-state";

/** What is for those alone who may buy plans; anybody else is told so, and a rep asked for the business. */
export function Buyers({ children }: { children: ReactNode }) {
  const now = useSession();
  if (!mayBuyPlans(now))
    return (
      <EmptyState
        action={
          <Link to="/subscriptions">
            <Trans>Pricing Plans</Trans>
          </Link>
        }
      >
        <NoRight />
      </EmptyState>
    );
  if (needsBusiness(now))
    return (
      <EmptyState
        action={
          <Button size="md" onClick={({ currentTarget }) => askForBusiness(currentTarget)}>
            <Trans>Select Business</Trans>
          </Button>
        }
      >
        <Trans>Plans are bought for a business. Select the one that you buy for.</Trans>
      </EmptyState>
    );
  return children;
}

export function NoRight() {
  return <Trans>You do not have purchasing rights.</Trans>;
}
