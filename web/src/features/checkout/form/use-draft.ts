import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { answered } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { keepCart } from "~/shared/cart/keep";
import { askForCart, type Cart } from "~/shared/cart/queries";
import { placementQuery } from "../queries";
import type { DraftChange } from "./draft";

/** Writes the draft, one change after the other, and shows the cart as each answer tells it. */
export function useDraft(token: string) {
  const cache = useQueryClient();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [waiting, setWaiting] = useState(0);
  const [rev, setRev] = useState<number>();

  async function one(change: DraftChange): Promise<Cart> {
    try {
      const cart = await answered(change(token));
      await keepCart(cache, cart);
      setRev(cart.rev);
      return cart;
    } catch (cause) {
      // Elsewhere the cart may have been changed, or ordered.
      void askForCart(cache);
      void cache.invalidateQueries(placementQuery(token));
      throw problemOf(cause);
    }
  }

  /** Throws the Problem of a refusal. */
  function write(change: DraftChange): Promise<Cart> {
    setWaiting((count) => count + 1);
    const next = last.current.then(() => one(change));
    last.current = next.catch(() => undefined);
    return next.finally(() => setWaiting((count) => count - 1));
  }

  return {
    busy: waiting > 0,
    /** The cart's after the last change that was made here. */
    rev,
    write,
    /** The same for a choice on the page: a refusal is told at the top of it, and answered. */
    choose: (change: DraftChange) =>
      write(change).then(
        () => undefined,
        (cause: unknown) => {
          void tellProblem(cause);
          return problemOf(cause);
        },
      ),
  };
}
