import { CONSTANTS } from "~/shared/constants";
import { day, oneNumberOf, oneOf, query, text, whole } from "~/shared/navigation/query";

/** The first is the default. */
export const SORTS = [
  "date-desc",
  "date-asc",
  "due-asc",
  "due-desc",
  "total-desc",
  "total-asc",
] as const;

export type Sort = (typeof SORTS)[number];
export type Rows = (typeof CONSTANTS.tablePageSizes)[number];

const LONGEST_TERM = 80;

/** The address of a list of documents: unknown values are dropped, the rest is kept (rulings "Calls"). */
export function documentsAddress<const Status extends string>(statuses: readonly Status[]) {
  return query({
    s: text(),
    status: oneOf(statuses),
    from: day,
    to: day,
    so: oneOf(SORTS),
    p: whole(2),
    rows: oneNumberOf(CONSTANTS.tablePageSizes),
  });
}

type DocumentsAddress<Status extends string> = {
  s?: string | undefined;
  status?: Status | undefined;
  from?: string | undefined;
  to?: string | undefined;
  so?: Sort | undefined;
  p?: number | undefined;
  rows?: Rows | undefined;
};

export type DocumentsQuery<Status extends string> = {
  term: string;
  status: Status | undefined;
  from: string | undefined;
  to: string | undefined;
  sort: Sort;
  page: number;
  rows: Rows;
};

/** What an address asks for. */
export function wantedIn<Status extends string>(
  address: DocumentsAddress<Status>,
): DocumentsQuery<Status> {
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
export function addressOf<Status extends string>(
  wanted: DocumentsQuery<Status>,
): DocumentsAddress<Status> {
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

/** Whether fewer than all are asked for. */
export function isNarrowed({ term, status, from, to }: DocumentsQuery<string>): boolean {
  return Boolean(term || status || from || to);
}

/** The body of a call that lists documents. */
export function pageBody<Status extends string>(wanted: DocumentsQuery<Status>) {
  const { term, status, from, to, sort, page, rows } = wanted;
  return { search: term, status: status ? [status] : [], from, to, sort, page, limit: rows };
}

/** The query of a call that answers the whole list as a file. */
export function exportOf<Status extends string>(wanted: DocumentsQuery<Status>) {
  const { term, status, from, to, sort } = wanted;
  return { search: term, status: status ? [status] : [], from, to, sort };
}
