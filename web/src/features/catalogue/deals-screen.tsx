import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { askForBusiness } from "~/shared/session/ask-business";
import { needsBusiness, useSession } from "~/shared/session/session";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Counted } from "./parts/counted";
import { Coupons } from "./parts/coupons";
import { NothingFound } from "./parts/nothing-found";
import type { ActionFor } from "./parts/products/product-card";
import { ProductGrid, ProductGridSkeleton } from "./parts/products/product-grid";
import { couponsQuery, dealsQuery } from "./queries";
import classes from "./search-screen.module.css";

/** What costs less for a while, and the coupons that hold now. */
export function DealsScreen({ actionFor }: { actionFor?: ActionFor }) {
  const { t } = useLingui();
  const deals = useQuery(dealsQuery);
  const coupons = useQuery(couponsQuery);
  const total = deals.data?.totalCount ?? 0;
  // Both come at once, so that neither moves the other; coupons that cannot be fetched are not waited for.
  const waits = deals.isPending || (coupons.isPending && coupons.failureCount === 0);
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Deals</Trans>
      </Heading>
      {waits ? null : <Coupons coupons={coupons.data ?? []} />}
      <WhosePrices />
      {waits ? <ProductGridSkeleton /> : null}
      {deals.isError ? (
        <ProblemNote problem={problemOf(deals.error)} onRetry={() => void deals.refetch()} />
      ) : null}
      {deals.isSuccess && total === 0 ? <NothingFound /> : null}
      {!waits && deals.data?.results.length ? (
        <>
          <p role="status" className={classes.count}>
            <Counted total={total} />
          </p>
          <ProductGrid products={deals.data.results} label={t`Deals`} actionFor={actionFor} />
        </>
      ) : null}
    </div>
  );
}

/** The deals of all channels are shown to whoever has the list prices, and none of them is marked as one. */
function WhosePrices() {
  const now = useSession();
  if (now.state === "anonymous") {
    return (
      <Note tone="plain">
        <Trans>You see list prices. Log in to see what these products cost your business.</Trans>
      </Note>
    );
  }
  if (needsBusiness(now)) {
    return (
      <Note
        tone="plain"
        action={
          <Button variant="default" onClick={({ currentTarget }) => askForBusiness(currentTarget)}>
            <Trans>Select Business</Trans>
          </Button>
        }
      >
        <Trans>You see list prices. Select a business to see what these products cost it.</Trans>
      </Note>
    );
  }
  if (!now.work || (now.work.business?.channel ?? "msrp") !== "msrp") return null;
  return (
    <Note tone="plain">
      <Trans>You see list prices.</Trans>
    </Note>
  );
}
