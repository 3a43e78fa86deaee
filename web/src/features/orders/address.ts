import { CONSTANTS } from "~/shared/constants";
import { oneNumberOf, oneOf, query, text, whole } from "~/shared/navigation/query";

export const ORDER_SORTS = ["date-desc", "date-asc", "total-desc", "total-asc"] as const;
export const ORDER_STATUSES = [
  "placed",
  "handed_over",
  "confirmed",
  "part_shipped",
  "shipped",
  "invoiced",
  "cancelled",
] as const;

export type OrderSort = (typeof ORDER_SORTS)[number];
type Rows = (typeof CONSTANTS.tablePageSizes)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

const LONGEST_TERM = 80;

/** The address of the list of orders: unknown values are dropped, the rest is kept (rulings "Calls"). */
export const ordersAddress = query({
  s: text(),
  status: oneOf(ORDER_STATUSES),
  so: oneOf(ORDER_SORTS),
  p: whole(2),
  rows: oneNumberOf(CONSTANTS.tablePageSizes),
});

export type OrdersAddress = ReturnType<typeof ordersAddress>;

export type OrdersWanted = {
  term: string;
  status: OrderStatus | undefined;
  sort: OrderSort;
  page: number;
  rows: Rows;
};

/** What an address asks for. */
export function wantedIn(address: OrdersAddress): OrdersWanted {
  return {
    term: (address.s ?? "").trim().slice(0, LONGEST_TERM),
    status: address.status,
    sort: address.so ?? ORDER_SORTS[0],
    page: address.p ?? 1,
    rows: address.rows ?? CONSTANTS.tablePageSize,
  };
}

/** The address that asks for this; what is the default is left out. */
export function addressOf(wanted: OrdersWanted): OrdersAddress {
  return {
    s: wanted.term || undefined,
    status: wanted.status,
    so: wanted.sort === ORDER_SORTS[0] ? undefined : wanted.sort,
    p: wanted.page > 1 ? wanted.page : undefined,
    rows: wanted.rows === CONSTANTS.tablePageSize ? undefined : wanted.rows,
  };
}
