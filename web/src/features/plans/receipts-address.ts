import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";

/** What a list of receipts can be narrowed by (shop spec 3, "filter options"). */
export const FILTERS = ["transaction_id", "total_charges", "subtotal", "gst_hst"] as const;

const whole = (fallback: number, most: number) =>
  z.catch(z.coerce.number().check(z.int(), z.gte(1), z.lte(most)), fallback);
const text = z.catch(z.optional(z.string()), undefined);

/** The address of the receipts: which one, or which page of which. */
export const receiptsAddress = z.object({
  uuid: text,
  page: z.optional(whole(1, 10_000)),
  limit: z.optional(whole(CONSTANTS.tablePageSize, 100)),
  ok: z.catch(z.optional(z.literal("true")), undefined),
  by: z.catch(z.optional(z.enum(FILTERS)), undefined),
  value: text,
});

export type ReceiptsAddress = z.infer<typeof receiptsAddress>;
