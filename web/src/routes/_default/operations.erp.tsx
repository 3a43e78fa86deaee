import { createFileRoute } from "@tanstack/react-router";
import { erpMirrorQuery } from "~/features/operations/erp/queries";
import { ErpScreen } from "~/features/operations/erp/screen";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const search = query({
  id: text(/^.{0,64}$/),
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
