import { createFileRoute } from "@tanstack/react-router";
import { ordersAddress, wantedIn } from "~/features/orders/address";
import { OrdersScreen } from "~/features/orders/list-screen";
import { ordersQuery } from "~/features/orders/queries";
import { ahead } from "~/shared/api/ahead";
import { ofBuyers } from "~/shared/session/of-business";

export const Route = createFileRoute("/_default/my-orders")({
  validateSearch: ordersAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, ofBuyers(ordersQuery(wantedIn(deps))));
  },
  component: MyOrders,
});

function MyOrders() {
  return <OrdersScreen address={Route.useSearch()} />;
}
