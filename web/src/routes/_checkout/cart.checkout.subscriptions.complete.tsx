import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CompleteScreen } from "~/features/plans/complete-screen";

const search = z.object({ uuid: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_checkout/cart/checkout/subscriptions/complete")({
  validateSearch: search,
  component: Complete,
});

function Complete() {
  return <CompleteScreen id={Route.useSearch().uuid} />;
}
