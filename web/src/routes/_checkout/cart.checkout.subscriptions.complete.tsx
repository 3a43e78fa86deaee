import { createFileRoute } from "@tanstack/react-router";
import { CompleteScreen } from "~/features/plans/complete-screen";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";
import { purchaseQuery } from "~/shared/plans/queries";

const search = query({ uuid: text() });

export const Route = createFileRoute("/_checkout/cart/checkout/subscriptions/complete")({
  validateSearch: search,
  loaderDeps: ({ search: { uuid } }) => ({ uuid }),
  loader: ({ context: { queryClient }, deps: { uuid } }) => {
    if (uuid) ahead(queryClient, purchaseQuery(uuid));
  },
  component: Complete,
});

function Complete() {
  return <CompleteScreen id={Route.useSearch().uuid} />;
}
