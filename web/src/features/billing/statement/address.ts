import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";

const day = z.catch(z.optional(z.iso.date()), undefined);

/** The address of the statement: its days, and the page. Unknown values are dropped. */
export const statementAddress = z.object({
  from: day,
  to: day,
  p: z.catch(z.optional(z.coerce.number().check(z.int(), z.minimum(2))), undefined),
});

export type StatementAddress = z.infer<typeof statementAddress>;

/** Entries on a page. */
export const ROWS = CONSTANTS.maximumPageFetch;
