import type { OrderStatus } from "./address";
import type { Order } from "./queries";

type EventKind = Order["history"][number]["kind"];

const STEPS = ["placed", "handed_over", "accepted", "shipped", "invoiced"] as const;
export type Step = (typeof STEPS)[number];

type StepState = {
  step: Step;
  state: "done" | "present" | "ahead";
  /** When it was first reached; of one ahead, as a shipment that was invoiced before the others, nothing. */
  at: string | undefined;
};

const REACHED: Record<Exclude<OrderStatus, "cancelled">, number> = {
  placed: 1,
  handed_over: 2,
  confirmed: 3,
  part_shipped: 3,
  shipped: 4,
  invoiced: 5,
};

/** Where the order is: the steps behind it, the one that is under way, and those ahead. A cancelled one stays where it was. */
export function stepsOf({ status, history }: Pick<Order, "status" | "history">): StepState[] {
  const first = new Map<EventKind, string>();
  for (const { kind, at } of history) if (!first.has(kind)) first.set(kind, at);
  const reached =
    status === "cancelled" ? STEPS.filter((step) => first.has(step)).length : REACHED[status];
  return STEPS.map((step, place) => ({
    step,
    state:
      place < reached ? "done" : place === reached && status !== "cancelled" ? "present" : "ahead",
    at: place <= reached || status === "cancelled" ? first.get(step) : undefined,
  }));
}
