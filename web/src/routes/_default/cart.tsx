import { createFileRoute } from "@tanstack/react-router";
import { PreviouslyPurchased } from "~/features/catalogue/previously-purchased";
import { CartScreen } from "~/features/checkout/cart/cart-screen";
import { ahead } from "~/shared/api/ahead";
import { addFromList } from "~/shared/cart/actions";
import { latestCartQuery } from "~/shared/cart/queries";

export const Route = createFileRoute("/_default/cart")({
  loader: ({ context: { queryClient } }) => {
    ahead(queryClient, latestCartQuery);
  },
  component: Cart,
});

function Cart() {
  return (
    <CartScreen>
      <PreviouslyPurchased actionFor={addFromList} />
    </CartScreen>
  );
}
