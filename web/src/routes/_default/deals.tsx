import { createFileRoute } from "@tanstack/react-router";
import { DealsScreen } from "~/features/catalogue/deals-screen";
import { couponsQuery, dealsQuery } from "~/features/catalogue/queries";
import { ahead } from "~/shared/api/ahead";
import { addFromList } from "~/shared/cart/actions";

export const Route = createFileRoute("/_default/deals")({
  loader: ({ context: { queryClient } }) => {
    ahead(queryClient, dealsQuery, couponsQuery);
  },
  component: Deals,
});

function Deals() {
  return <DealsScreen actionFor={addFromList} />;
}
