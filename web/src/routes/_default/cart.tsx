import { createFileRoute } from "@tanstack/react-router";
import { CartScreen } from "~/features/cart/cart-screen";
import { PreviouslyPurchased } from "~/features/catalogue/previously-purchased";
import { addFromList } from "~/shared/cart/actions";

export const Route = createFileRoute("/_default/cart")({ component: Cart });

function Cart() {
  return (
    <>
      <CartScreen />
      <PreviouslyPurchased actionFor={addFromList} />
    </>
  );
}
