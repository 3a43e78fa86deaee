import { createFileRoute } from "@tanstack/react-router";
import { checkoutSearch } from "~/features/checkout/address";
import { CompleteScreen } from "~/features/checkout/complete-screen";

export const Route = createFileRoute("/_checkout/cart/checkout/products/complete")({
  validateSearch: checkoutSearch,
  component: Complete,
});

function Complete() {
  return <CompleteScreen token={Route.useSearch().token} />;
}
