import { Trans } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { type Cart, cartQuery, latestCartQuery } from "~/shared/cart/queries";
import { askForBusiness } from "~/shared/session/ask-business";
import { needsBusiness, useSession } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import classes from "./checkout.module.css";
import { CheckoutForm } from "./form/form";
import { LastTime } from "./parts/last-time";
import { placementQuery } from "./queries";
import { Run } from "./run/run";
import type { PlacementAnswer } from "./types";

type CheckoutScreenProps = {
  /** The cart that is ordered; the present one without it. */
  token: string | undefined;
  /** The cart's token belongs into the address: a reload, and Back, find the same order. */
  onToken: (token: string) => void;
};

/** From a cart to an order: where it goes, how it is paid, and how far it is. */
export function CheckoutScreen({ token, onToken }: CheckoutScreenProps) {
  const mustChoose = needsBusiness(useSession());
  const latest = useQuery({ ...latestCartQuery, enabled: !token && !mustChoose });
  const found = latest.data?.token ?? undefined;
  useEffect(() => {
    if (!token && found) onToken(found);
  }, [token, found, onToken]);
  return (
    <div className={classes.page}>
      {mustChoose ? (
        <NoBusiness />
      ) : token ? (
        <Checkout key={token} token={token} />
      ) : latest.isError ? (
        <Titled>
          <ProblemNote problem={problemOf(latest.error)} onRetry={() => void latest.refetch()} />
        </Titled>
      ) : latest.data && !found ? (
        <NothingToOrder />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

function Checkout({ token }: { token: string }) {
  const placement = useQuery(placementQuery(token));
  const open = placement.data && !placement.data.ended ? placement.data : undefined;
  const cart = useQuery({ ...cartQuery(token), enabled: placement.data !== undefined && !open });
  const failed = [placement, cart].find(({ isError, data }) => isError && data === undefined);
  if (failed)
    return (
      <Titled>
        <ProblemNote
          problem={problemOf(failed.error)}
          onRetry={() => void Promise.all([placement.refetch(), cart.refetch()])}
        />
        <ToCart />
      </Titled>
    );
  if (placement.data === undefined) return <Waiting />;
  if (open) return <Run first={open} />;
  if (placement.data?.state === "confirmed")
    return <Navigate to="/cart/checkout/products/complete" search={{ token }} replace />;
  if (!cart.data) return <Waiting />;
  return <Fillable cart={cart.data} last={placement.data} />;
}

function Fillable({ cart, last }: { cart: Cart; last: PlacementAnswer | null }) {
  const next = last?.view.next_token;
  if (last && next && !cart.isLatest)
    return (
      <Titled>
        <LastTime last={last} />
        <Link to="/cart/checkout/products" search={{ token: next }} className={classes.way}>
          <Trans>Order the same products again</Trans>
        </Link>
        <ToCart />
      </Titled>
    );
  if (!cart.isLatest)
    return (
      <Titled>
        <Note tone="wait">
          <Trans>This cart has been replaced by a newer one.</Trans>
        </Note>
        <ToCart />
      </Titled>
    );
  if (cart.lines.length === 0) return <NothingToOrder />;
  return <CheckoutForm cart={cart} last={last} />;
}

function Titled({ children }: { children: ReactNode }) {
  return (
    <>
      <Heading>
        <Trans>Purchase Products</Trans>
      </Heading>
      {children}
    </>
  );
}

function Waiting() {
  return (
    <Titled>
      <Skeleton height="max(420px, 75vh)" radius="lg" aria-busy="true" />
    </Titled>
  );
}

function NothingToOrder() {
  return (
    <Titled>
      <EmptyState
        action={
          <Link to="/search">
            <Trans>Find products</Trans>
          </Link>
        }
      >
        <Trans>Your cart is empty.</Trans>
      </EmptyState>
    </Titled>
  );
}

function NoBusiness() {
  useEffect(() => askForBusiness(), []);
  return (
    <Titled>
      <EmptyState
        action={
          <Button size="md" onClick={({ currentTarget }) => askForBusiness(currentTarget)}>
            <Trans>Select Business</Trans>
          </Button>
        }
      >
        <Trans>Each business has a cart of its own. Select the business that you buy for.</Trans>
      </EmptyState>
    </Titled>
  );
}

function ToCart() {
  return (
    <Link to="/cart" className={classes.way}>
      <Trans>Back to the cart</Trans>
    </Link>
  );
}
