import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { erpMirrorQuery } from "~/features/operations/erp/queries";
import { ErpScreen } from "~/features/operations/erp/screen";
import { ahead } from "~/shared/api/ahead";

const search = z.object({
  id: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
});

export const Route = createFileRoute("/_default/operations/erp")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    ahead(queryClient, erpMirrorQuery);
  },
  component: Erp,
});

function Erp() {
  return <ErpScreen shown={Route.useSearch().id} />;
}
