import { createFileRoute } from "@tanstack/react-router";
import { checkoutSearch } from "~/features/checkout/address";
import { CompleteScreen } from "~/features/checkout/complete-screen";
import { placementQuery } from "~/features/checkout/queries";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_checkout/cart/checkout/products/complete")({
  validateSearch: checkoutSearch,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context: { queryClient }, deps: { token } }) => {
    if (token) ahead(queryClient, placementQuery(token));
  },
  component: Complete,
});

function Complete() {
  return <CompleteScreen token={Route.useSearch().token} />;
}
