import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import { askForCart } from "~/shared/cart/queries";
import type { PaymentChoice } from "~/shared/payments/types";
import { placeOrder } from "./calls";
import { keepPlacement, placementQuery, quotesOf } from "./queries";
import type { Quote } from "./types";

const LOOK_AGAIN_MS = 1000;

export type Order = {
  payment: PaymentChoice;
  po: string;
  /** For the owner who must approve it. */
  reason: string;
  /** What the buyer said yes to. */
  agreed: Quote;
};

/** Places the order in one call, which says how it is paid, its PO number, and the figures that were agreed to: it is placed
 * at those, or not at all. */
export function usePlacing(token: string) {
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

  async function attempt({ payment, po, reason, agreed }: Order): Promise<void> {
    const body = {
      selectedPayment: { type: payment.type, methodId: payment.method_id },
      poNumber: po.trim(),
      knowsPo: warned.current === po.trim(),
      quoteHash: agreed.figures_hash,
      approvalReason: reason,
    };
    const hash = JSON.stringify(body);
    if (intent.current.hash !== hash) intent.current = { hash, key: newKey() };
    const { placement } = await placeOrder(token, body, intent.current.key);
    setRepeated(undefined);
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
      const refused = problemOf(cause);
      if (refused.code === "po_number_repeated") {
        warned.current = order.po.trim();
        setRepeated(refused.order);
        return;
      }
      setProblem(refused);
      // It may have been placed all the same, and the cart emptied or replaced elsewhere: the page shows what is.
      void askForCart(cache);
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
    /** The buyer said yes to what it told of. */
    forget: () => setProblem(undefined),
    /** The number of another order that has this PO number. */
    repeated,
    place,
  };
}
