import { CONSTANTS } from "~/shared/constants";
import { day, oneNumberOf, oneOf, query, text, whole } from "~/shared/navigation/query";

export const ORDER_SORTS = ["date-desc", "date-asc", "total-desc", "total-asc"] as const;
const ORDER_STATUSES = [
  "placed",
  "handed_over",
  "confirmed",
  "part_shipped",
  "shipped",
  "invoiced",
  "cancelled",
] as const;

/** The tabs of the list: several statuses under one name, and those that have a tab of their own. */
export const TABS = {
  under_way: ["placed", "handed_over", "confirmed", "part_shipped"],
  shipped: ["shipped"],
  invoiced: ["invoiced"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly (typeof ORDER_STATUSES)[number][]>;

export type Tab = keyof typeof TABS;
export const TAB_NAMES = Object.keys(TABS) as Tab[]; // the keys of that table are all of them
type OrderList = OrderStatus | "under_way";

export type OrderSort = (typeof ORDER_SORTS)[number];
type Rows = (typeof CONSTANTS.tablePageSizes)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

const LONGEST_TERM = 80;

/** The address of the list of orders: unknown values are dropped, the rest is kept (rulings "Calls"). */
export const ordersAddress = query({
  s: text(),
  status: oneOf(["under_way", ...ORDER_STATUSES]),
  from: day,
  to: day,
  so: oneOf(ORDER_SORTS),
  p: whole(2),
  rows: oneNumberOf(CONSTANTS.tablePageSizes),
});

export type OrdersAddress = ReturnType<typeof ordersAddress>;

export type OrdersQuery = {
  term: string;
  /** The days of ordering; neither has to be given. */
  from: string | undefined;
  to: string | undefined;
  status: OrderList | undefined;
  sort: OrderSort;
  page: number;
  rows: Rows;
};

/** What an address asks for. */
export function wantedIn(address: OrdersAddress): OrdersQuery {
  return {
    term: (address.s ?? "").trim().slice(0, LONGEST_TERM),
    from: address.from,
    to: address.to,
    status: address.status,
    sort: address.so ?? ORDER_SORTS[0],
    page: address.p ?? 1,
    rows: address.rows ?? CONSTANTS.tablePageSize,
  };
}

/** The address that asks for this; what is the default is left out. */
export function addressOf(wanted: OrdersQuery): OrdersAddress {
  return {
    s: wanted.term || undefined,
    from: wanted.from,
    to: wanted.to,
    status: wanted.status,
    so: wanted.sort === ORDER_SORTS[0] ? undefined : wanted.sort,
    p: wanted.page > 1 ? wanted.page : undefined,
    rows: wanted.rows === CONSTANTS.tablePageSize ? undefined : wanted.rows,
  };
}

/** The statuses that are asked for; none for all. */
export function statusesOf(shown: OrderList | undefined): OrderStatus[] {
  if (shown === undefined) return [];
  return shown === "under_way" ? [...TABS.under_way] : [shown];
}

/** The tab that what is shown is in: one status of several under a name is in the tab of that name. */
export function tabOf(shown: OrderList | undefined): Tab | undefined {
  const statuses = statusesOf(shown);
  return TAB_NAMES.find((tab) => statuses.some((one) => TABS[tab].some((each) => each === one)));
}
