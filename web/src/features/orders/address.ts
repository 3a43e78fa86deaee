import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";

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

/** The tabs of the list: several statuses under one name, and those that have a tab of their own. */
export const TABS = {
  under_way: ["placed", "handed_over", "confirmed", "part_shipped"],
  shipped: ["shipped"],
  invoiced: ["invoiced"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly (typeof ORDER_STATUSES)[number][]>;

export type Tab = keyof typeof TABS;
export type Shown = OrderStatus | "under_way";

export type OrderSort = (typeof ORDER_SORTS)[number];
type Rows = (typeof CONSTANTS.tablePageSizes)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

const LONGEST_TERM = 80;

const day = z.catch(z.optional(z.iso.date()), undefined);

/** The address of the list of orders: unknown values are dropped, the rest is kept (rulings "Calls"). */
export const ordersAddress = z.object({
  s: z.catch(z.optional(z.string()), undefined),
  status: z.catch(z.optional(z.enum(["under_way", ...ORDER_STATUSES])), undefined),
  from: day,
  to: day,
  so: z.catch(z.optional(z.enum(ORDER_SORTS)), undefined),
  p: z.catch(z.optional(z.coerce.number().check(z.int(), z.minimum(2))), undefined),
  rows: z.catch(
    z.optional(z.pipe(z.coerce.number(), z.literal([...CONSTANTS.tablePageSizes]))),
    undefined,
  ),
});

export type OrdersAddress = z.infer<typeof ordersAddress>;

export type OrdersWanted = {
  term: string;
  /** The days of ordering; neither has to be given. */
  from: string | undefined;
  to: string | undefined;
  status: Shown | undefined;
  sort: OrderSort;
  page: number;
  rows: Rows;
};

/** What an address asks for. */
export function wantedIn(address: OrdersAddress): OrdersWanted {
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
export function addressOf(wanted: OrdersWanted): OrdersAddress {
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
export function statusesOf(shown: Shown | undefined): OrderStatus[] {
  if (shown === undefined) return [];
  return shown === "under_way" ? [...TABS.under_way] : [shown];
}
