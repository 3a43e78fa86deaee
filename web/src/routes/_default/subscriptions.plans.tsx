import { createFileRoute } from "@tanstack/react-router";
import { choiceOf, choiceSearch } from "~/features/plans/address";
import { PlansScreen } from "~/features/plans/plans-screen";

export const Route = createFileRoute("/_default/subscriptions/plans")({
  validateSearch: choiceSearch,
  component: Plans,
});

function Plans() {
  return <PlansScreen choice={choiceOf(Route.useSearch())} />;
}
