import { CONSTANTS } from "~/shared/constants";
import { oneNumberOf, oneOf, query, text, whole } from "~/shared/navigation/query";

/** What a list of receipts can be narrowed by (shop spec 3, "filter options"). */
export const FILTERS = ["transaction_id", "total_charges", "subtotal", "gst_hst"] as const;

/** The address of the receipts: which one, or which page of which. */
export const receiptsAddress = query({
  uuid: text(),
  page: whole(1, 10_000),
  limit: oneNumberOf(CONSTANTS.tablePageSizes),
  ok: oneOf(["true", "false"]),
  by: oneOf(FILTERS),
  value: text(),
});

export type ReceiptsAddress = ReturnType<typeof receiptsAddress>;
