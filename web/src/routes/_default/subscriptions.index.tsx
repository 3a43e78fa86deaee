import { createFileRoute } from "@tanstack/react-router";
import { SubscriptionsScreen } from "~/features/plans/subscriptions-screen";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query, text } from "~/shared/navigation/query";
import { plansQuery, subscriptionsQuery } from "~/shared/plans/queries";

const search = query({
  q: text(),
  state: oneOf(["active", "ending", "suspended", "ended"]),
});

export const Route = createFileRoute("/_default/subscriptions/")({
  validateSearch: search,
  loaderDeps: ({ search: { q, state } }) => ({ startsWith: serialOf(q), state }),
  loader: ({ context: { queryClient }, deps: { startsWith, state } }) => {
    ahead(queryClient, plansQuery, subscriptionsQuery(startsWith, state));
  },
  component: Subscriptions,
});

function Subscriptions() {
  const { q, state } = Route.useSearch();
  return <SubscriptionsScreen startsWith={serialOf(q)} state={state} />;
}

function serialOf(typed = ""): string {
  return typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9-]/g, "")
    .slice(0, 40);
}
