import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { askForCart } from "~/shared/cart/queries";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { asItStands } from "~/shared/flow/use-flow";
import { isKnown } from "~/shared/navigation/routes";
import { paidBy } from "~/shared/payments/method-words";
import { PLACEMENT, PLACEMENT_STAGES } from "~/shared/placements/flow";
import { useSession } from "~/shared/session/session";
import { storageKey } from "~/shared/storage";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./checkout.module.css";
import { Address } from "./parts/address";
import { Lines } from "./parts/lines";
import { Sums } from "./parts/sums";
import { placementQuery } from "./queries";
import { At } from "./run/at";
import type { PlacementAnswer, Postal } from "./types";

/** What was ordered. Without a token in the address, the order that was placed last. */
export function CompleteScreen({ token }: { token: string | undefined }) {
  const now = useSession();
  const userId = now.state === "anonymous" ? undefined : now.user.id;
  const wanted = token ?? (userId ? rememberedOrder(userId) : undefined);
  const found = useQuery({ ...placementQuery(wanted ?? ""), enabled: wanted !== undefined });
  const placed = found.data?.state === "confirmed" ? found.data : undefined;
  const cache = useQueryClient();
  useEffect(() => {
    if (!placed || !userId) return;
    rememberOrder(userId, placed.view.token);
    void askForCart(cache); // it was put away with the order
  }, [placed, userId, cache]);
  if (found.data && !placed && wanted)
    return <Navigate to="/cart/checkout/products" search={{ token: wanted }} replace />;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Order Complete</Trans>
      </Heading>
      {placed ? (
        <Placed placement={placed} />
      ) : found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : wanted && found.isPending ? (
        <Skeleton height={360} radius="lg" aria-busy="true" />
      ) : (
        <Nothing />
      )}
    </div>
  );
}

function Placed({ placement }: { placement: PlacementAnswer }) {
  const { t, i18n } = useLingui();
  const { view } = placement;
  const { order } = view;
  const flow = asItStands(placement, PLACEMENT);
  return (
    <>
      <At total={view.total} flow={flow} />
      <FlowMap flow={flow} stages={PLACEMENT_STAGES} label={t`The way of your order`} />
      <Note tone="ok">
        {order ? (
          <Trans>
            Thank you. Your order {order.number} is confirmed. A mail with everything is on its way.
          </Trans>
        ) : (
          <Trans>Thank you. Your order is confirmed.</Trans>
        )}
      </Note>
      {view.stands ? (
        <Note tone="wait">
          <Trans>The order was sent before it could be cancelled, so it stands.</Trans>
        </Note>
      ) : null}
      <div className={classes.columns}>
        <Panel className={classes.part} aria-label={t`Delivery and payment`}>
          <dl className={classes.facts}>
            <dt>
              <Trans>Ship to</Trans>
            </dt>
            <dd>
              <Where to={view.shipping_address} />
            </dd>
            <dt>
              <Trans>Shipping method</Trans>
            </dt>
            <dd>{view.shipping_method}</dd>
            <dt>
              <Trans>Billing address</Trans>
            </dt>
            <dd>
              <Where to={view.billing_address} />
            </dd>
            {view.po_number ? (
              <>
                <dt>
                  <Trans>PO number</Trans>
                </dt>
                <dd>{view.po_number}</dd>
              </>
            ) : null}
            <dt>
              <Trans>Payment</Trans>
            </dt>
            <dd>{paidBy(view.payment.shown, i18n)}</dd>
            <dt>
              <Trans>Ordered by</Trans>
            </dt>
            <dd>
              {view.placed_by}, {view.partner_name}
            </dd>
          </dl>
        </Panel>
        <div className={classes.side}>
          <Panel className={classes.summary} aria-label={t`Your order`}>
            <h2>
              <Trans>Your order</Trans>
            </h2>
            <Lines lines={view.lines} />
            <Sums of={view} method={view.shipping_method} />
          </Panel>
          {order && isKnown(`/order/${order.id}`) ? (
            <Link to={`/order/${order.id}` as "/"} className={classes.on}>
              <Trans>Follow this order</Trans>
            </Link>
          ) : null}
          <Link to="/search" className={classes.way}>
            <Trans>Find more products</Trans>
          </Link>
        </div>
      </div>
    </>
  );
}

function Where({ to }: { to: Postal }) {
  return (
    <Address
      name={to.name}
      street={to.street}
      city={to.city}
      area={to.country_area}
      postalCode={to.postal_code}
      country={to.country}
    />
  );
}

function Nothing() {
  return (
    <EmptyState
      action={
        <Link to="/cart">
          <Trans>Back to the cart</Trans>
        </Link>
      }
    >
      <Trans>There is no order here yet.</Trans>
    </EmptyState>
  );
}

/** The cart whose order was placed last, so that its page can be found again without its address (rulings "Screens"). */
function rememberOrder(userId: string, token: string): void {
  localStorage.setItem(storageKey("checkout_confirm", userId), token);
}

function rememberedOrder(userId: string): string | undefined {
  return localStorage.getItem(storageKey("checkout_confirm", userId)) ?? undefined;
}
