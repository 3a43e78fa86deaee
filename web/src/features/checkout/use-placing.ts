import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import type { Cart } from "~/shared/cart/queries";
import type { PaymentChoice } from "~/shared/payments/types";
import { placeOrder } from "./calls";
import { changesBetween } from "./changes";
import { payBy, poNumber } from "./draft";
import { askForQuote, keepPlacement, placementQuery, quoteQuery, quotesOf } from "./queries";
import type { Quote } from "./types";
import type { useDraft } from "./use-draft";

const LOOK_AGAIN_MS = 1000;

type Order = {
  cart: Cart;
  payment: PaymentChoice;
  po: string;
  /** For the owner who must approve it. */
  reason: string;
  agreed: Quote;
  shown: Quote;
};

/**
 * Writes what is left of the draft, asks once more what the order would be, and places it if that is what was agreed to.
 * `agreed` is what the buyer said yes to, line by line; `shown` has the total that stands on the page.
 */
export function usePlacing(token: string, draft: ReturnType<typeof useDraft>) {
  const cache = useQueryClient();
  const intent = useRef({ hash: "", key: "" });
  const under = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  // The PO number that the buyer was warned of: once is enough.
  const warned = useRef<string | null>(null);
  const [repeated, setRepeated] = useState<string>();
  const [taken, setTaken] = useState(false);
  // It was taken, and no worker has begun with it yet: the page looks until there is something to show.
  useQuery({ ...placementQuery(token), refetchInterval: taken ? LOOK_AGAIN_MS : false });

  async function attempt({ cart, payment, po, reason, agreed, shown }: Order): Promise<void> {
    if (po.trim() !== (cart.poNumber ?? "")) await draft.write(poNumber(po));
    const { rev } = await draft.write(payBy(payment, shown.total));
    const fresh = await askForQuote(token);
    cache.setQueryData(quoteQuery(token, rev).queryKey, fresh);
    const asked = changesBetween({ ...agreed, total: shown.total }, fresh);
    if (asked || fresh.refusals.length > 0) return;
    if (fresh.po_ordered && warned.current !== fresh.po_number) {
      warned.current = fresh.po_number;
      setRepeated(fresh.po_ordered);
      return;
    }
    setRepeated(undefined);
    const hash = `${fresh.quote_hash} ${reason}`;
    if (intent.current.hash !== hash) intent.current = { hash, key: newKey() };
    const { key } = intent.current;
    const { placement } = await placeOrder(token, payment, fresh.quote_hash, reason, key);
    if (placement) keepPlacement(cache, placement);
    else setTaken(true);
  }

  async function place(order: Order): Promise<void> {
    if (under.current) return; // a double click
    under.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await attempt(order);
    } catch (cause) {
      setProblem(problemOf(cause));
      // It may have been placed all the same: the page shows what is.
      await cache.invalidateQueries(placementQuery(token));
      await cache.invalidateQueries({ queryKey: quotesOf(token) });
    } finally {
      under.current = false;
      setBusy(false);
    }
  }

  return {
    busy: busy || taken,
    problem,
    /** The number of another order that has this PO number. */
    repeated,
    place,
  };
}
