import { createFileRoute } from "@tanstack/react-router";
import { auditQuery } from "~/features/operations/audit/queries";
import { AuditScreen } from "~/features/operations/audit/screen";
import { ahead } from "~/shared/api/ahead";
import { day, oneOf, query, text } from "~/shared/navigation/query";

const search = query({
  actor: text(),
  partner_code: text(),
  action: text(),
  object_id: text(),
  request_id: text(),
  outcome: oneOf(["done", "accepted", "refused"]),
  since: day,
  until: day,
});

export const Route = createFileRoute("/_default/audit")({
  validateSearch: search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, auditQuery(deps));
  },
  component: Audit,
});

function Audit() {
  return <AuditScreen filters={Route.useSearch()} />;
}
