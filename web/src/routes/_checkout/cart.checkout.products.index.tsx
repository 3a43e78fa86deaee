import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { checkoutSearch } from "~/features/checkout/address";
import { CheckoutScreen } from "~/features/checkout/screen";

export const Route = createFileRoute("/_checkout/cart/checkout/products/")({
  validateSearch: checkoutSearch,
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
