import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { SubscriptionsScreen } from "~/features/plans/subscriptions-screen";
import { ahead } from "~/shared/api/ahead";
import { plansQuery, subscriptionsQuery } from "~/shared/plans/queries";

const search = z.object({
  q: z.catch(z.optional(z.string()), undefined),
  state: z.catch(z.optional(z.enum(["active", "ending", "ended"])), undefined),
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
