import { createFileRoute } from "@tanstack/react-router";
import { waitingQuery } from "~/features/checkout/approvals/queries";
import { ApprovalScreen, ApprovalsScreen } from "~/features/checkout/approvals/screen";
import { placementQuery } from "~/features/checkout/queries";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query } from "~/shared/navigation/query";
import { purchaseQuery } from "~/shared/plans/queries";
import { answersApprovals, asksForApproval } from "~/shared/session/rights";
import { session } from "~/shared/session/session";

/** Without a kind the id is that of an order. */
const search = query({ kind: oneOf(["purchase"]) });

export const Route = createFileRoute("/_default/approvals/{-$id}")({
  validateSearch: search,
  loaderDeps: ({ search: { kind } }) => ({ kind }),
  loader: ({ context: { queryClient }, params: { id }, deps: { kind } }) => {
    const now = session();
    if (!id && asksForApproval(now)) ahead(queryClient, waitingQuery());
    if (id && answersApprovals(now))
      ahead(queryClient, kind === "purchase" ? purchaseQuery(id) : placementQuery(id));
  },
  component: Approvals,
});

function Approvals() {
  const { id } = Route.useParams();
  const { kind } = Route.useSearch();
  return id ? <ApprovalScreen key={id} id={id} kind={kind ?? "placement"} /> : <ApprovalsScreen />;
}
