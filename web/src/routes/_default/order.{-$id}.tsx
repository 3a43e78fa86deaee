import { createFileRoute, redirect } from "@tanstack/react-router";
import { OrderScreen } from "~/features/orders/order-screen";

export const Route = createFileRoute("/_default/order/{-$id}")({
  beforeLoad: ({ params }) => {
    if (!params.id) throw redirect({ to: "/my-orders", replace: true });
  },
  component: Order,
});

function Order() {
  const { id = "" } = Route.useParams();
  return <OrderScreen key={id} id={id} />;
}
