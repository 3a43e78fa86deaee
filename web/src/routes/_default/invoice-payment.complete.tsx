import { createFileRoute } from "@tanstack/react-router";
import { CompleteScreen } from "~/features/billing/invoice-payment/complete/complete-screen";
import { invoicePaymentQuery } from "~/features/billing/invoice-payment/queries";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const search = query({ id: text() });

export const Route = createFileRoute("/_default/invoice-payment/complete")({
  validateSearch: search,
  loaderDeps: ({ search: { id } }) => ({ id }),
  loader: ({ context: { queryClient }, deps: { id } }) => {
    if (id) ahead(queryClient, invoicePaymentQuery(id));
  },
  component: Complete,
});

function Complete() {
  return <CompleteScreen id={Route.useSearch().id} />;
}
