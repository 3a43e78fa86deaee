import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSend } from "~/shared/api/send";
import type { Cart } from "~/shared/cart/queries";
import { putTogether } from "../change";
import classes from "./earlier-carts.module.css";

/** Carts that were put away and still hold something, with the way back. */
export function EarlierCarts({ cart, except }: { cart: Cart; except?: string }) {
  const { i18n } = useLingui();
  const cache = useQueryClient();
  const { busy, send } = useSend({ alert: true });
  const earlier = cart.earlierCarts.filter(({ token }) => token !== except);
  if (!earlier.length) return null;

  const bring = (from: (typeof earlier)[number]) =>
    send((key) => putTogether(cache, cart, from, key), from.token);

  return (
    <section className={classes.earlier}>
      <h2>
        <Trans>Carts that were put away</Trans>
      </h2>
      <ul>
        {earlier.map((one) => {
          const { token, quantity, updatedAt } = one;
          const when = i18n.date(updatedAt, { dateStyle: "medium", timeStyle: "short" });
          return (
            <li key={token}>
              <span>
                <Plural value={quantity} one="# piece" other="# pieces" />, {when}
              </span>
              <Button variant="default" size="md" disabled={busy} onClick={() => void bring(one)}>
                <Trans>Bring here</Trans>
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
