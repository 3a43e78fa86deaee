import { createFileRoute } from "@tanstack/react-router";
import { PayScreen } from "~/features/billing/invoice-payment/pay-screen";
import {
  invoiceQuoteQuery,
  openMemosQuery,
  requestOf,
} from "~/features/billing/invoice-payment/queries";
import { presentSelection } from "~/features/billing/invoices/selection";
import { ahead } from "~/shared/api/ahead";
import { methodsQuery } from "~/shared/payments/queries";

export const Route = createFileRoute("/_default/invoice-payment/")({
  loader: ({ context: { queryClient } }) => {
    const selected = presentSelection();
    if (selected.size > 0)
      ahead(
        queryClient,
        invoiceQuoteQuery(requestOf(selected.keys())),
        openMemosQuery(""),
        methodsQuery,
      );
  },
  component: PayScreen,
});
