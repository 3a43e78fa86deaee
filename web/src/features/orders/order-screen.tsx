import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { CasesOf } from "~/shared/cases/cases-of";
import { casesOfQuery } from "~/shared/cases/queries";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { live } from "~/shared/live/live";
import { AskMyRep } from "~/shared/partners/reps";
import { readsOnly } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ListRefusal } from "~/shared/ui/lists/list-refusal";
import { isLost } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import classes from "./orders.module.css";
import { Addresses } from "./parts/addresses";
import { Cancel } from "./parts/cancel";
import { Lines } from "./parts/lines";
import { OrderAgain } from "./parts/order-again";
import { PlacementMap } from "./parts/placement-map";
import { ReorderOutcome } from "./parts/reorder-outcome";
import { Shipments } from "./parts/shipments";
import { Sums } from "./parts/sums";
import { WhereIsIt } from "./parts/where-is-it";
import { type Order, orderQuery, placementQuery, type Reordered } from "./queries";
import { isMoving } from "./words";

/** One order: where it is, what it waits for, what is in it. */
export function OrderScreen({ id }: { id: string }) {
  const found = useQuery(orderQuery(id));
  const waits = useBeside(id, found.data);
  const failure = found.isError ? (
    <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
      <Trans>Each business has orders of its own. Select the business that you work for.</Trans>
    </ListRefusal>
  ) : null;
  if (found.data && !isLost(found) && !waits) return <Shown order={found.data} failure={failure} />;
  return (
    <div className={classes.page}>
      {found.isError && problemOf(found.error).status === 404 ? (
        <Missing />
      ) : (
        <>
          <Heading>
            <Trans>Order</Trans>
          </Heading>
          {failure ?? <Skeleton height={420} radius="lg" />}
        </>
      )}
    </div>
  );
}

/** Whether what stands between the order's parts is still awaited: it comes with them, or moves them. */
function useBeside(id: string, order: Order | undefined): boolean {
  const cases = useQuery(casesOfQuery({ kind: "order", id }));
  const token = order && placedBy(order);
  const placement = useQuery({ ...placementQuery(token ?? ""), enabled: Boolean(token) });
  return [cases, placement].some(
    ({ isLoading, isFetched, failureCount }) => isLoading && !isFetched && failureCount === 0,
  );
}

/** The cart whose run may still be placing it. */
function placedBy({ token, status }: Order): string | null {
  return status === "placed" || status === "handed_over" ? token : null;
}

function Shown({ order, failure }: { order: Order; failure: ReactNode }) {
  const { i18n, t } = useLingui();
  const { number } = order;
  const token = placedBy(order);
  const day = i18n.date(order.created, { dateStyle: "long" });
  useFollowed(order);
  const reads = readsOnly(useSession());
  return (
    <div className={classes.page}>
      <div className={classes.title}>
        <div>
          <Heading>
            <Trans>Order {number}</Trans>
          </Heading>
          <p>
            <Trans>
              Placed on {day} by {order.placedBy}
            </Trans>
            {order.actingAs ? (
              <>
                {" "}
                <Trans>for {order.actingAs}</Trans>
              </>
            ) : null}
          </p>
        </div>
      </div>
      {failure}
      <WhereIsIt order={order} />
      {token ? <PlacementMap token={token} /> : null}
      <CasesOf of={{ kind: "order", id: order.id }} />
      {reads ? null : <Cancel order={order} />}
      <Actions order={order} reads={reads} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Lines order={order} />
          <Shipments order={order} />
        </div>
        <div className={classes.side}>
          <Sums order={order} />
          <Addresses order={order} />
        </div>
      </div>
      <AskMyRep about={t`Order ${number}`} />
    </div>
  );
}

/** Each change of the order, its shipments and invoices is heard, and of its placement while that runs. */
function useFollowed(order: Order) {
  const { id } = order;
  const cache = useQueryClient();
  const moves = isMoving(order.status);
  const token = placedBy(order);
  useEffect(() => {
    if (!moves) return;
    return live.follow(`order:${id}`, () => {
      void cache.invalidateQueries({ queryKey: orderQuery(id).queryKey });
      void cache.invalidateQueries({ queryKey: casesOfQuery({ kind: "order", id }).queryKey });
    });
  }, [cache, id, moves]);
  useEffect(() => {
    if (!token) return;
    const look = () => {
      void cache.invalidateQueries({ queryKey: orderQuery(id).queryKey });
      void cache.invalidateQueries({ queryKey: placementQuery(token).queryKey });
    };
    return live.follow(`placement:${token}`, look);
  }, [cache, id, token]);
}

type ActionsProps = {
  order: Order;
  /** Nothing of it is changed or ordered again. */
  reads: boolean;
};

function Actions({ order, reads }: ActionsProps) {
  const [again, setAgain] = useState(false);
  const [added, setAdded] = useState<Reordered>();

  return (
    <>
      <div className={classes.actions}>
        {reads ? null : (
          <Button
            size="md"
            variant={order.status === "placed" ? "default" : "filled"}
            aria-haspopup="dialog"
            onClick={() => setAgain(true)}
          >
            <Trans>Order again</Trans>
          </Button>
        )}
        <Button variant="default" size="md" onClick={() => window.print()}>
          <Trans>Print</Trans>
        </Button>
        <KeepPdf
          path={`/v1/orders/${encodeURIComponent(order.id)}/order.pdf`}
          name={`order-${order.number}.pdf`}
        />
        <KeepPdf
          path={`/v1/orders/${encodeURIComponent(order.id)}/packing-list.pdf`}
          name={`packing-list-${order.number}.pdf`}
        >
          <Trans>Packing list</Trans>
        </KeepPdf>
      </div>
      {again ? (
        <OrderAgain
          order={order}
          onClose={() => setAgain(false)}
          onAdded={(outcome) => {
            setAdded(outcome);
            setAgain(false);
          }}
        />
      ) : null}
      {added ? <ReorderOutcome added={added} /> : null}
    </>
  );
}

function Missing() {
  return (
    <>
      <Heading>
        <Trans>Order not found</Trans>
      </Heading>
      <EmptyState
        action={
          <Link to="/my-orders">
            <Trans>My Orders</Trans>
          </Link>
        }
      >
        <Trans>
          There is no such order, or it belongs to another business. Reps see the orders of the
          business that is selected.
        </Trans>
      </EmptyState>
    </>
  );
}
