import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { OrderSort, OrderStatus, Tab } from "./address";
import type { Order } from "./queries";

export { STATUS_WORDS, toneOf } from "~/shared/orders/words";

type EventKind = Order["history"][number]["kind"];
type WaitsFor = NonNullable<Order["waitsFor"]>;

export const TAB_WORDS: Record<Tab, MessageDescriptor> = {
  under_way: msg`Under way`,
  shipped: msg({ message: "Shipped", context: "orders" }),
  invoiced: msg({ message: "Invoiced", context: "orders" }),
  cancelled: msg({ message: "Cancelled", context: "orders" }),
};

export const SORT_WORDS: Record<OrderSort, MessageDescriptor> = {
  "date-desc": msg`Newest first`,
  "date-asc": msg`Oldest first`,
  "total-desc": msg`Total, high to low`,
  "total-asc": msg`Total, low to high`,
};

export const EVENT_WORDS: Record<EventKind, MessageDescriptor> = {
  placed: msg`Placed`,
  handed_over: msg`Handed over to our order system`,
  accepted: msg({ message: "Confirmed", context: "order" }),
  shipped: msg`Shipped`,
  invoiced: msg`Invoiced`,
  withdrawn: msg`A part will not be sent`,
  cancelled: msg({ message: "Cancelled", context: "order" }),
};

/** What comes next, and who does it. */
export const WAITS_WORDS: Record<WaitsFor, MessageDescriptor> = {
  hand_over: msg`We are handing the order over. Until then it can be cancelled.`,
  acceptance: msg`Waiting for our order desk to confirm the order.`,
  shipment: msg`Waiting for the warehouse to send the order.`,
  stock: msg`Waiting for the rest to come into stock. It is sent then.`,
  invoice: msg`Everything is on its way. The invoice follows.`,
};

/** Whether something is still to come. */
export function isMoving(status: OrderStatus): boolean {
  return status !== "invoiced" && status !== "cancelled";
}
