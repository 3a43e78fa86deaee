import { CONSTANTS } from "~/shared/constants";
import { day, query, whole } from "~/shared/navigation/query";

/** The address of the statement: its days, and the page. Unknown values are dropped. */
export const statementAddress = query({
  from: day,
  to: day,
  p: whole(2),
});

export type StatementAddress = ReturnType<typeof statementAddress>;

/** Entries on a page. */
export const ROWS = CONSTANTS.maximumPageFetch;
