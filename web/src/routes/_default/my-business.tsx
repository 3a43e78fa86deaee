import { createFileRoute } from "@tanstack/react-router";
import { BusinessScreen } from "~/features/dealers/business-screen";
import { businessQuery, dealerQuery, ownDealer } from "~/features/dealers/queries";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query } from "~/shared/navigation/query";
import { runsBusiness } from "~/shared/session/rights";
import { session } from "~/shared/session/session";

/** `payouts` is how the card provider's page sends its owner back. */
const search = query({
  payouts: oneOf(["back", "expired"]),
});

export const Route = createFileRoute("/_default/my-business")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    const now = session();
    const own = ownDealer(now);
    if (!runsBusiness(now)) return;
    ahead(queryClient, dealerQuery(now), ...(own ? [businessQuery(own)] : []));
  },
  component: Business,
});

function Business() {
  return <BusinessScreen from={Route.useSearch().payouts} />;
}
