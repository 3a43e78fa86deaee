import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { BusinessScreen } from "~/features/dealers/business-screen";

/** `payouts` is how the card provider's page sends its owner back. */
const search = z.object({
  payouts: z.catch(z.optional(z.enum(["back", "expired"])), undefined),
});

export const Route = createFileRoute("/_default/my-business")({
  validateSearch: search,
  component: Business,
});

function Business() {
  return <BusinessScreen from={Route.useSearch().payouts} />;
}
