import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CheckoutScreen } from "~/features/plans/checkout-screen";
import { ahead } from "~/shared/api/ahead";
import { planLinesQuery, purchaseQuery } from "~/shared/plans/queries";

const search = z.object({ uuid: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_checkout/cart/checkout/subscriptions/")({
  validateSearch: search,
  loaderDeps: ({ search: { uuid } }) => ({ uuid }),
  loader: ({ context: { queryClient }, deps: { uuid } }) => {
    ahead(queryClient, uuid ? purchaseQuery(uuid) : planLinesQuery);
  },
  component: Checkout,
});

function Checkout() {
  return <CheckoutScreen id={Route.useSearch().uuid} />;
}
