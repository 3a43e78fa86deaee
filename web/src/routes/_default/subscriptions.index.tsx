import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { SubscriptionsScreen } from "~/features/plans/subscriptions-screen";

const search = z.object({
  q: z.catch(z.optional(z.string()), undefined),
  state: z.catch(z.optional(z.enum(["active", "ending", "ended"])), undefined),
});

export const Route = createFileRoute("/_default/subscriptions/")({
  validateSearch: search,
  component: Subscriptions,
});

function Subscriptions() {
  const { q, state } = Route.useSearch();
  const startsWith = (q ?? "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9-]/g, "")
    .slice(0, 40);
  return <SubscriptionsScreen startsWith={startsWith} state={state} />;
}
