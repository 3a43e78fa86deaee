import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";

export const SORTS = [
  "date-desc",
  "date-asc",
  "due-asc",
  "due-desc",
  "total-desc",
  "total-asc",
] as const;
export const BUCKETS = ["current", "1-30", "31-60", "61-90", "over-90"] as const;
export const STATUSES = ["open", "past_due", "paid", ...BUCKETS] as const;

export type Sort = (typeof SORTS)[number];
export type Bucket = (typeof BUCKETS)[number];
export type InvoiceStatus = (typeof STATUSES)[number];
export type Rows = (typeof CONSTANTS.tablePageSizes)[number];

const LONGEST_TERM = 80;
const day = z.catch(z.optional(z.iso.date()), undefined);

/** The address of the list of invoices: unknown values are dropped, the rest is kept (rulings "Calls"). */
export const invoicesAddress = z.object({
  s: z.catch(z.optional(z.string()), undefined),
  status: z.catch(z.optional(z.enum(STATUSES)), undefined),
  from: day,
  to: day,
  so: z.catch(z.optional(z.enum(SORTS)), undefined),
  p: z.catch(z.optional(z.coerce.number().check(z.int(), z.minimum(2))), undefined),
  rows: z.catch(
    z.optional(z.pipe(z.coerce.number(), z.literal([...CONSTANTS.tablePageSizes]))),
    undefined,
  ),
});

export type InvoicesAddress = z.infer<typeof invoicesAddress>;

export type InvoicesWanted = {
  term: string;
  status: InvoiceStatus | undefined;
  from: string | undefined;
  to: string | undefined;
  sort: Sort;
  page: number;
  rows: Rows;
};

/** What an address asks for. */
export function wantedIn(address: InvoicesAddress): InvoicesWanted {
  return {
    term: (address.s ?? "").trim().slice(0, LONGEST_TERM),
    status: address.status,
    from: address.from,
    to: address.to,
    sort: address.so ?? SORTS[0],
    page: address.p ?? 1,
    rows: address.rows ?? CONSTANTS.tablePageSize,
  };
}

/** The address that asks for this; what is the default is left out. */
export function addressOf(wanted: InvoicesWanted): InvoicesAddress {
  return {
    s: wanted.term || undefined,
    status: wanted.status,
    from: wanted.from,
    to: wanted.to,
    so: wanted.sort === SORTS[0] ? undefined : wanted.sort,
    p: wanted.page > 1 ? wanted.page : undefined,
    rows: wanted.rows === CONSTANTS.tablePageSize ? undefined : wanted.rows,
  };
}
