import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { auditQuery } from "~/features/operations/audit/queries";
import { AuditScreen } from "~/features/operations/audit/screen";
import { ahead } from "~/shared/api/ahead";

const text = z.catch(z.optional(z.string()), undefined);
const search = z.object({
  actor: text,
  partner_code: text,
  action: text,
  request_id: text,
  outcome: z.catch(z.optional(z.enum(["done", "refused"])), undefined),
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
