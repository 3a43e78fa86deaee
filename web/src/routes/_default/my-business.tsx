import { createFileRoute } from "@tanstack/react-router";
import { BusinessScreen } from "~/features/dealers/business-screen";
import { oneOf, query } from "~/shared/navigation/query";

/** `payouts` is how the card provider's page sends its owner back. */
const search = query({
  payouts: oneOf(["back", "expired"]),
});

export const Route = createFileRoute("/_default/my-business")({
  validateSearch: search,
  component: Business,
});

function Business() {
  return <BusinessScreen from={Route.useSearch().payouts} />;
}
