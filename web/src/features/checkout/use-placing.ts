import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { askForCart } from "~/shared/cart/queries";
import type { PaymentChoice } from "~/shared/payments/types";
import { placeOrder } from "./calls";
import { keepPlacement, placementQuery, quotesOf } from "./queries";
import type { Quote } from "./types";

const LOOK_AGAIN_MS = 1000;

const REPEATED = "po_number_repeated";

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
  const { busy, problem, send, forget } = useSend();
  // The PO number that the buyer was warned of: once is enough.
  const warned = useRef<string | null>(null);
  const [repeated, setRepeated] = useState<string>();
  const [taken, setTaken] = useState(false);
  // It was taken, and no worker has begun with it yet: the page looks until there is something to show.
  useQuery({ ...placementQuery(token), refetchInterval: taken ? LOOK_AGAIN_MS : false });

  async function place({ payment, po, reason, agreed }: Order): Promise<void> {
    const body = {
      selectedPayment: { type: payment.type, methodId: payment.method_id },
      poNumber: po.trim(),
      knowsPo: warned.current === po.trim(),
      quoteHash: agreed.figures_hash,
      approvalReason: reason,
    };
    const refused = await send(async (key) => {
      const { placement } = await placeOrder(token, body, key).catch(lookAgain);
      setRepeated(undefined);
      if (placement) keepPlacement(cache, placement);
      else setTaken(true);
    }, body);
    if (refused?.code !== REPEATED) return;
    warned.current = body.poNumber;
    setRepeated(refused.order);
  }

  /** It may have been placed all the same, and the cart emptied or replaced elsewhere: the page shows what is. */
  async function lookAgain(cause: unknown): Promise<never> {
    if (problemOf(cause).code !== REPEATED) {
      void askForCart(cache);
      await cache.invalidateQueries(placementQuery(token));
      await cache.invalidateQueries({ queryKey: quotesOf(token) });
    }
    throw cause;
  }

  return {
    busy: busy || taken,
    problem: problem?.code === REPEATED ? undefined : problem,
    /** The buyer said yes to what it told of. */
    forget,
    /** The number of another order that has this PO number. */
    repeated,
    place,
  };
}
