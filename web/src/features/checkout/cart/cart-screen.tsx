import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dismiss, tell } from "~/shared/alerts/alerts";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { type Cart, type CartLine, cartQuery, latestCartQuery } from "~/shared/cart/queries";
import { setStaleCart, useStaleCart } from "~/shared/cart/stale";
import { useBrands } from "~/shared/catalogue/lists";
import { LackingOfCart } from "~/shared/fit/lacking";
import { AccountBox } from "~/shared/partners/account-box";
import { AskMyRep } from "~/shared/partners/reps";
import { OpenPurchases } from "~/shared/plans/purchase/open-purchases";
import { openPurchasesQuery, planLinesQuery } from "~/shared/plans/queries";
import { askForBusiness } from "~/shared/session/ask-business";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession, workOf } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { LineItems } from "~/shared/ui/lists/line-item";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { enterCoupon } from "../form/draft";
import { Coupons } from "../parts/coupons";
import classes from "./cart-screen.module.css";
import { addBack, changed, changeQuantity, removeLine, setVehicle, startNew } from "./change";
import { EarlierCarts } from "./parts/earlier-carts";
import { Line } from "./parts/line";
import { MergeCarts } from "./parts/merge-carts";
import { PlanLines } from "./parts/plan-lines";
import { CartTotals } from "./parts/totals";

/** What will be bought, line by line, at the prices and with the stock of now. */
export function CartScreen({ children }: { children?: ReactNode }) {
  const now = useSession();
  const work = workOf(now);
  const latest = useQuery(latestCartQuery);
  const token = latest.data?.token ?? undefined;
  const found = useQuery({ ...cartQuery(token ?? ""), enabled: token !== undefined });
  const failed = [latest, found].find(({ isError }) => isError);
  const cart = found.data;
  const isAway = [latest, found].some(isLost);
  const isAwaited = !failed && (latest.isPending || (token !== undefined && found.isPending));
  const mustChoose = Boolean(work?.must_choose && !work.business);
  const plans = useQuery({ ...planLinesQuery, enabled: !mustChoose });
  const purchases = useQuery({ ...openPurchasesQuery, enabled: !mustChoose && mayBuyPlans(now) });
  // What stands below comes when all above it has come, so that nothing pushes it away.
  const isSettled = !isAwaited && !plans.isLoading && !purchases.isLoading;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Cart</Trans>
      </Heading>
      <AccountBox />
      {failed && !mustChoose ? (
        <ProblemNote
          problem={problemOf(failed.error)}
          onRetry={() => void Promise.all([latest.refetch(), token ? found.refetch() : undefined])}
        />
      ) : null}
      {mustChoose ? (
        <NoBusiness />
      ) : isAway ? null : isAwaited ? (
        <Awaited />
      ) : cart ? (
        <Filled cart={cart} />
      ) : (
        <Empty />
      )}
      {isAwaited || (work?.must_choose && !work.business) ? null : (
        <>
          <OpenPurchases />
          <PlanLines />
        </>
      )}
      {isSettled ? <AskMyRep /> : null}
      {isSettled ? children : null}
    </div>
  );
}

function Filled({ cart }: { cart: Cart }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const stale = useStaleCart();
  const brands = useBrands();
  const { busy, send } = useSend({ alert: true });

  const change = (line: CartLine, quantity: number) =>
    send((key) => changeQuantity(cache, cart, line.id, quantity, key));

  function remove(line: CartLine) {
    const { name } = line.variant;
    const work = async (key: string) => {
      await changed(cache, () => removeLine(cart, line.id, key), cart);
      const told = tell({
        content: i18n._(msg`${name} was taken out of the cart.`),
        type: "success",
        action: {
          label: msg`Undo`,
          run: () => {
            dismiss(told);
            void send((key) => changed(cache, () => addBack(cart.token, line, key)));
          },
        },
      });
    };
    void send(work, [line.id, "remove"]);
  }

  return (
    <>
      {stale && stale.token !== cart.token ? (
        <MergeCarts cart={cart} stale={stale} onDone={() => setStaleCart(undefined)} />
      ) : null}
      {cart.lines.length ? (
        <div className={classes.columns}>
          <div className={classes.stack}>
            <LackingOfCart cart={cart} />
            <LineItems dense aria-label={t`Products in the cart`} aria-busy={busy}>
              {cart.lines.map((line) => (
                <Line
                  key={line.id}
                  line={line}
                  vehicles={cart.vehicles}
                  brands={brands}
                  onVehicle={(vehicle) =>
                    void send((key) =>
                      changed(cache, () => setVehicle(cart, [line.id], vehicle, key), cart),
                    )
                  }
                  onChange={(quantity) => change(line, quantity)}
                  onRemove={() => remove(line)}
                />
              ))}
            </LineItems>
          </div>
          <div className={classes.side}>
            <Coupons
              coupons={cart.coupons}
              disabled={busy}
              onEnter={(code) =>
                send(() => changed(cache, () => enterCoupon(code)(cart.token), cart))
              }
            />
            <CartTotals cart={cart} />
            <Button
              variant="default"
              size="md"
              disabled={busy}
              onClick={() =>
                void send((key) => changed(cache, () => startNew(key)), ["new cart", cart.token])
              }
            >
              <Trans>Start a new cart</Trans>
            </Button>
            <small className={classes.hint}>
              <Trans>This one is kept, and can be brought back.</Trans>
            </small>
          </div>
        </div>
      ) : (
        <Empty />
      )}
      <EarlierCarts cart={cart} except={stale?.token} />
    </>
  );
}

function Awaited() {
  return <Skeleton height={320} radius="lg" aria-busy="true" />;
}

/** Plans stand for themselves: an empty cart is one that holds none of those, either. */
function Empty() {
  const plans = useQuery(planLinesQuery);
  if (plans.isPending) return <Awaited />;
  if (plans.data && plans.data.count > 0) return null;
  return (
    <EmptyState
      action={
        <Link to="/search">
          <Trans>Find products</Trans>
        </Link>
      }
    >
      <strong>
        <Trans>Your cart is empty.</Trans>
      </strong>{" "}
      <Trans>Find products by name, SKU or brand, or enter many SKUs at once by quick order.</Trans>
    </EmptyState>
  );
}

function NoBusiness() {
  return (
    <EmptyState
      action={
        <Button size="md" onClick={({ currentTarget }) => askForBusiness(currentTarget)}>
          <Trans>Select Business</Trans>
        </Button>
      }
    >
      <Trans>Each business has a cart of its own. Select the business that you buy for.</Trans>
    </EmptyState>
  );
}
