import { createFileRoute } from "@tanstack/react-router";
import { DealsScreen } from "~/features/catalogue/deals-screen";
import { addFromList } from "~/shared/cart/actions";

export const Route = createFileRoute("/_default/deals")({ component: Deals });

function Deals() {
  return <DealsScreen actionFor={addFromList} />;
}
