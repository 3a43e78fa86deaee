import { createFileRoute } from "@tanstack/react-router";
import { ordersAddress } from "~/features/orders/address";
import { OrdersScreen } from "~/features/orders/list-screen";

export const Route = createFileRoute("/_default/my-orders")({
  validateSearch: ordersAddress,
  component: MyOrders,
});

function MyOrders() {
  return <OrdersScreen address={Route.useSearch()} />;
}
