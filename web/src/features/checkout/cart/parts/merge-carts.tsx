import { Plural, Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSend } from "~/shared/api/send";
import { addToCart } from "~/shared/cart/add";
import { type Cart, cartQuery } from "~/shared/cart/queries";
import type { StaleCart } from "~/shared/cart/stale";
import { Panel } from "~/shared/ui/screens/panel";
import { putTogether } from "../change";
import classes from "./merge-carts.module.css";

type MergeCartsProps = { cart: Cart; stale: StaleCart; onDone: () => void };

/** The cart that this page knew was put away elsewhere. Both are shown; what to keep is chosen, and nothing is lost. */
export function MergeCarts({ cart, stale, onDone }: MergeCartsProps) {
  const cache = useQueryClient();
  const older = useQuery(cartQuery(stale.token));
  const { busy, send } = useSend({ alert: true });
  const held = older.data?.quantity ?? 0;

  const settle = (merge: boolean) =>
    send(async (key) => {
      if (merge) await putTogether(cache, cart, { token: stale.token, quantity: held }, key);
      const became = stale.lines.length ? await addToCart(cache, stale.lines) : "added";
      // Unless this one was replaced as well meanwhile: then that is asked about.
      if (became !== "merge") onDone();
    });

  return (
    <Panel className={classes.merge} role="alert">
      <h2>
        <Trans>This cart has been replaced by a newer one</Trans>
      </h2>
      <p>
        <Trans>
          Another page or device has begun a new cart for this business. Nothing is lost: choose
          what to keep.
        </Trans>
      </p>
      <ul>
        <li>
          <Trans>
            The cart of this page: <Plural value={held} one="# piece" other="# pieces" />
          </Trans>
        </li>
        <li>
          <Trans>
            The newest cart: <Plural value={cart.quantity} one="# piece" other="# pieces" />
          </Trans>
        </li>
        {stale.lines.map(({ variantId, quantity, name }) => (
          <li key={variantId}>
            <Trans>
              Just to be added: {quantity} × {name}
            </Trans>
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        <Button size="md" loading={busy} onClick={() => void settle(true)}>
          <Trans>Put both together</Trans>
        </Button>
        <Button size="md" variant="default" disabled={busy} onClick={() => void settle(false)}>
          <Trans>Use the newest cart</Trans>
        </Button>
      </div>
    </Panel>
  );
}
