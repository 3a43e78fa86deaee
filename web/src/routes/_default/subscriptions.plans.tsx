import { createFileRoute } from "@tanstack/react-router";
import { choiceOf, choiceSearch } from "~/features/plans/address";
import { PlansScreen } from "~/features/plans/plans-screen";
import { ahead } from "~/shared/api/ahead";
import { plansQuery, upgradesQuery } from "~/shared/plans/queries";

export const Route = createFileRoute("/_default/subscriptions/plans")({
  validateSearch: choiceSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps, cause }) => {
    if (cause === "stay") return; // each choice is an address, and the page is followed
    const { devices, slide } = choiceOf(deps);
    const [only, ...others] = devices;
    if (slide === "devices" || !only) return;
    ahead(queryClient, others.length > 0 ? plansQuery : upgradesQuery(only));
  },
  component: Plans,
});

function Plans() {
  return <PlansScreen choice={choiceOf(Route.useSearch())} />;
}
