import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CompleteScreen } from "~/features/billing/invoice-payment/complete-screen";

const search = z.object({ id: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_default/invoice-payment/complete")({
  validateSearch: search,
  component: Complete,
});

function Complete() {
  return <CompleteScreen id={Route.useSearch().id} />;
}
