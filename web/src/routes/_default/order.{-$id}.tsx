import { createFileRoute, redirect } from "@tanstack/react-router";
import { OrderScreen } from "~/features/orders/order-screen";
import { orderQuery } from "~/features/orders/queries";
import { ahead } from "~/shared/api/ahead";
import { casesOfQuery } from "~/shared/cases/queries";

export const Route = createFileRoute("/_default/order/{-$id}")({
  beforeLoad: ({ params }) => {
    if (!params.id) throw redirect({ to: "/my-orders", replace: true });
  },
  loader: ({ context: { queryClient }, params }) => {
    const id = params.id ?? "";
    ahead(queryClient, orderQuery(id), casesOfQuery({ kind: "order", id }));
  },
  component: Order,
});

function Order() {
  const { id = "" } = Route.useParams();
  return <OrderScreen key={id} id={id} />;
}
