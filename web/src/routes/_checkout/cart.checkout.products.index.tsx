import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { checkoutSearch } from "~/features/checkout/address";
import { placementQuery } from "~/features/checkout/queries";
import { CheckoutScreen } from "~/features/checkout/screen";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_checkout/cart/checkout/products/")({
  validateSearch: checkoutSearch,
  loaderDeps: ({ search: { token } }) => ({ token }),
  loader: ({ context: { queryClient }, deps: { token } }) => {
    if (token) ahead(queryClient, placementQuery(token));
  },
  component: Products,
});

function Products() {
  const { token } = Route.useSearch();
  const navigate = Route.useNavigate();
  const keep = useCallback(
    (found: string) => void navigate({ search: { token: found }, replace: true }),
    [navigate],
  );
  return <CheckoutScreen token={token} onToken={keep} />;
}
