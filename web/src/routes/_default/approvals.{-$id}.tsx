import { createFileRoute } from "@tanstack/react-router";
import { waitingQuery } from "~/features/checkout/approvals/queries";
import { ApprovalScreen, ApprovalsScreen } from "~/features/checkout/approvals/screen";
import { placementQuery } from "~/features/checkout/queries";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/approvals/{-$id}")({
  loader: ({ context: { queryClient }, params: { id } }) => {
    if (id) ahead(queryClient, placementQuery(id));
    else ahead(queryClient, waitingQuery());
  },
  component: Approvals,
});

function Approvals() {
  const { id } = Route.useParams();
  return id ? <ApprovalScreen key={id} token={id} /> : <ApprovalsScreen />;
}
