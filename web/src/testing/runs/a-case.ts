import type { BuyersCase } from "~/shared/cases/queries";

/** Of an order that the warehouse cancelled, open. */
export const A_CASE: BuyersCase = {
  id: "c1",
  belongs_to: { kind: "order", id: "o1", name: "Order T-1", is_promised: false },
  cause: "order_cancelled",
  detail: "The goods are lost.",
  is_open: true,
  amount: null,
  given_back: 0,
  taken_off: 0,
  owed: 0,
  payment: null,
  may_pay: false,
  is_tried_too_often: false,
  currency: "USD",
  opened_at: "2026-11-20T12:00:00Z",
  deadline: null,
  updated_at: "2026-11-20T12:00:00Z",
};
