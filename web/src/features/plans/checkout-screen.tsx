import { Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { PurchasePanel } from "~/shared/plans/purchase-panel";
import { planLinesQuery, purchaseQuery, quoteAgain, quoteQuery } from "~/shared/plans/queries";
import type { PurchaseAnswer, PurchaseLine } from "~/shared/plans/types";
import { usePurchase } from "~/shared/plans/use-purchase";
import { EmptyState } from "~/shared/ui/empty-state";
import { Heading } from "~/shared/ui/heading";
import { ProblemNote } from "~/shared/ui/note";
import { PageSkeleton } from "~/shared/ui/page-skeleton";
import classes from "./plans.module.css";

/** Purchase Service: a purchase that is under way, or the price of what is in the cart. */
export function CheckoutScreen({ id }: { id: string | undefined }) {
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Purchase Service</Trans>
      </Heading>
      {id ? <Present id={id} /> : <FromCart />}
    </div>
  );
}

/** Works out the price of the plans in the cart, and goes on in that purchase. */
function FromCart() {
  const navigate = useNavigate();
  const lines = useQuery({ ...planLinesQuery, staleTime: 0 });
  const chosen = lines.data?.results ?? [];
  const quote = useQuery({
    ...quoteQuery(chosen),
    enabled: chosen.length > 0 && !lines.isFetching,
  });
  const id = quote.data;
  useEffect(() => {
    if (id)
      void navigate({ to: "/cart/checkout/subscriptions", search: { uuid: id }, replace: true });
  }, [id, navigate]);
  const failed = [lines, quote].find(({ isError }) => isError);
  if (failed)
    return (
      <ProblemNote
        problem={problemOf(failed.error)}
        onRetry={() => void (lines.isError ? lines.refetch() : quote.refetch())}
      />
    );
  if (lines.isSuccess && !lines.isFetching && chosen.length === 0)
    return (
      <EmptyState
        action={
          <Link to="/subscriptions/plans">
            <Trans>Choose a plan</Trans>
          </Link>
        }
      >
        <Trans>There is no plan in your cart.</Trans>
      </EmptyState>
    );
  return <PageSkeleton />;
}

function Present({ id }: { id: string }) {
  const found = useQuery(purchaseQuery(id));
  if (found.isError && !found.data)
    return <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data) return <PageSkeleton />;
  return <UnderWay key={id} first={found.data} />;
}

function UnderWay({ first }: { first: PurchaseAnswer }) {
  const run = usePurchase(first);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { id, state } = run.answer;
  useEffect(() => {
    if (state !== "confirmed") return;
    void cache.invalidateQueries({ queryKey: planLinesQuery.queryKey });
    void navigate({
      to: "/cart/checkout/subscriptions/complete",
      search: { uuid: id },
      replace: true,
    });
  }, [id, state, cache, navigate]);
  const fresh = useSend({ alert: true });
  async function again(lines: readonly PurchaseLine[]) {
    const uuid = await quoteAgain(cache, run.answer, lines);
    await navigate({ to: "/cart/checkout/subscriptions", search: { uuid }, replace: true });
  }
  return (
    <PurchasePanel
      run={run}
      onFresh={(lines) => void fresh.send(() => again(lines))}
      freshening={fresh.busy}
    />
  );
}
