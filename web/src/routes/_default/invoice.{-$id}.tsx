import { createFileRoute } from "@tanstack/react-router";
import { wantedIn } from "~/features/billing/documents/address";
import { invoicesAddress } from "~/features/billing/invoices/address";
import { InvoiceScreen } from "~/features/billing/invoices/invoice-screen";
import { InvoicesScreen } from "~/features/billing/invoices/list-screen";
import { invoiceQuery, invoicesQuery } from "~/features/billing/invoices/queries";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/invoice/{-$id}")({
  validateSearch: invoicesAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { id }, deps }) => {
    ahead(queryClient, id ? invoiceQuery(id) : invoicesQuery(wantedIn(deps)));
  },
  component: Invoices,
});

function Invoices() {
  const { id } = Route.useParams();
  const address = Route.useSearch();
  return id ? <InvoiceScreen key={id} id={id} /> : <InvoicesScreen address={address} />;
}
