import { createFileRoute } from "@tanstack/react-router";
import { CheckoutScreen } from "~/features/plans/checkout-screen";
import { ahead } from "~/shared/api/ahead";
import { query, text, texts } from "~/shared/navigation/query";
import { planLinesQuery, purchaseQuery } from "~/shared/plans/queries";

const search = query({
  uuid: text(),
  /** The devices whose plans are bought; without any all that are in the cart. */
  device: texts,
});

export const Route = createFileRoute("/_checkout/cart/checkout/subscriptions/")({
  validateSearch: search,
  loaderDeps: ({ search: { uuid } }) => ({ uuid }),
  loader: ({ context: { queryClient }, deps: { uuid } }) => {
    ahead(queryClient, uuid ? purchaseQuery(uuid) : planLinesQuery);
  },
  component: Checkout,
});

function Checkout() {
  const { uuid, device } = Route.useSearch();
  return <CheckoutScreen id={uuid} devices={device === undefined ? [] : [device].flat()} />;
}
