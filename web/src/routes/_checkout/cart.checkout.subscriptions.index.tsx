import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CheckoutScreen } from "~/features/plans/checkout-screen";

const search = z.object({ uuid: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_checkout/cart/checkout/subscriptions/")({
  validateSearch: search,
  component: Checkout,
});

function Checkout() {
  return <CheckoutScreen id={Route.useSearch().uuid} />;
}
