import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CompleteScreen } from "~/features/plans/complete-screen";
import { ahead } from "~/shared/api/ahead";
import { purchaseQuery } from "~/shared/plans/queries";

const search = z.object({ uuid: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_checkout/cart/checkout/subscriptions/complete")({
  validateSearch: search,
  loaderDeps: ({ search: { uuid } }) => ({ uuid }),
  loader: ({ context: { queryClient }, deps: { uuid } }) => {
    if (uuid) ahead(queryClient, purchaseQuery(uuid));
  },
  component: Complete,
});

function Complete() {
  return <CompleteScreen id={Route.useSearch().uuid} />;
}
