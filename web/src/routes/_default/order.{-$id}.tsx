import { createFileRoute, redirect } from "@tanstack/react-router";
import { OrderScreen } from "~/features/orders/order-screen";
import { orderQuery } from "~/features/orders/queries";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/order/{-$id}")({
  beforeLoad: ({ params }) => {
    if (!params.id) throw redirect({ to: "/my-orders", replace: true });
  },
  loader: ({ context: { queryClient }, params }) => {
    ahead(queryClient, orderQuery(params.id ?? ""));
  },
  component: Order,
});

function Order() {
  const { id = "" } = Route.useParams();
  return <OrderScreen key={id} id={id} />;
}
