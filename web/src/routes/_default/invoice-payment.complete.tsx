import { createFileRoute } from "@tanstack/react-router";
import { CompleteScreen } from "~/features/billing/invoice-payment/complete-screen";
import { query, text } from "~/shared/navigation/query";

const search = query({ id: text() });

export const Route = createFileRoute("/_default/invoice-payment/complete")({
  validateSearch: search,
  component: Complete,
});

function Complete() {
  return <CompleteScreen id={Route.useSearch().id} />;
}
