import { Plural, Trans } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { CasesOf } from "~/shared/cases/cases-of";
import { casesOfQuery } from "~/shared/cases/queries";
import { live } from "~/shared/live/live";
import { OpenPurchases } from "~/shared/plans/purchase/open-purchases";
import { PurchasePanel } from "~/shared/plans/purchase/purchase-panel";
import { usePurchase } from "~/shared/plans/purchase/use-purchase";
import { planLinesQuery, purchaseQuery, quoteAgain, quoteQuery } from "~/shared/plans/queries";
import type { PurchaseAnswer, PurchaseLine } from "~/shared/plans/types";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { At } from "./parts/at";
import classes from "./plans.module.css";

type CheckoutScreenProps = {
  id: string | undefined;
  /** Those whose plans are bought; none for all that are in the cart. */
  devices: readonly string[];
};

/** Purchase Service: a purchase that is under way, or the price of what is in the cart. */
export function CheckoutScreen({ id, devices }: CheckoutScreenProps) {
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Purchase Service</Trans>
      </Heading>
      {id ? <Present id={id} /> : <FromCart devices={devices} />}
    </div>
  );
}

/** Works out the price of the plans that were chosen, and goes on in that purchase. */
function FromCart({ devices }: { devices: readonly string[] }) {
  const navigate = useNavigate();
  const lines = useQuery({ ...planLinesQuery, staleTime: 0 });
  const inCart = lines.data?.results ?? [];
  const named = inCart.filter(({ device_key }) => devices.includes(device_key));
  const chosen = devices.length > 0 ? named : inCart;
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
      <>
        <OpenPurchases />
        <EmptyState
          action={
            <Link to="/subscriptions/plans">
              <Trans>Choose a plan</Trans>
            </Link>
          }
        >
          <Trans>There is no plan in your cart.</Trans>
        </EmptyState>
      </>
    );
  return <PageSkeleton titled />;
}

function Present({ id }: { id: string }) {
  const found = useQuery(purchaseQuery(id));
  if (found.isError && !found.data)
    return <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data) return <PageSkeleton titled />;
  return <UnderWay key={id} first={found.data} />;
}

function UnderWay({ first }: { first: PurchaseAnswer }) {
  const run = usePurchase(first);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { id, state, ended } = run.answer;
  useEffect(() => {
    if (ended) void cache.invalidateQueries({ queryKey: planLinesQuery.queryKey });
    if (state !== "confirmed") return;
    void navigate({
      to: "/cart/checkout/subscriptions/complete",
      search: { uuid: id },
      replace: true,
    });
  }, [id, state, ended, cache, navigate]);
  useEffect(
    () =>
      live.follow(`purchase:${id}`, () => {
        void cache.invalidateQueries({ queryKey: casesOfQuery({ kind: "purchase", id }).queryKey });
      }),
    [cache, id],
  );
  const fresh = useSend({ alert: true });
  async function again(lines: readonly PurchaseLine[]) {
    const uuid = await quoteAgain(cache, run.answer, lines);
    await navigate({ to: "/cart/checkout/subscriptions", search: { uuid }, replace: true });
  }
  return (
    <>
      <At flow={run} />
      <AlsoInCart purchase={run.answer} />
      <PurchasePanel
        run={run}
        onFresh={(lines) => void fresh.send(() => again(lines))}
        freshening={fresh.busy}
      />
      <CasesOf of={{ kind: "purchase", id }} />
    </>
  );
}

/** What waits in the cart and has no part in this purchase. */
export function AlsoInCart({ purchase }: { purchase: PurchaseAnswer }) {
  const lines = useQuery(planLinesQuery).data?.results ?? [];
  const bought = new Set(purchase.view.lines.map(({ device_key }) => device_key));
  const others = lines.filter(({ device_key }) => !bought.has(device_key));
  if (others.length === 0) return null;
  return (
    <Note tone="plain">
      <Plural
        value={others.length}
        one="Your cart holds # more plan. It stays there and is not bought here."
        other="Your cart holds # more plans. They stay there and are not bought here."
      />
    </Note>
  );
}
