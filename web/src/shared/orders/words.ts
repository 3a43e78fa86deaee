import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import type { Tone } from "~/shared/ui/notes/status";

type OrderStatus = Schemas["OrderStatus"];

export const STATUS_WORDS: Record<OrderStatus, MessageDescriptor> = {
  placed: msg`Placed`,
  handed_over: msg`Handed over`,
  confirmed: msg({ message: "Confirmed", context: "order" }),
  part_shipped: msg`Partly shipped`,
  shipped: msg`Shipped`,
  invoiced: msg`Invoiced`,
  cancelled: msg({ message: "Cancelled", context: "order" }),
};

export function toneOf(status: OrderStatus): Tone {
  if (status === "cancelled") return "fail";
  return status === "shipped" || status === "invoiced" ? "ok" : "wait";
}
