import { createFileRoute } from "@tanstack/react-router";
import { CasesScreen } from "~/features/operations/cases/list-screen";
import { casesQuery } from "~/features/operations/cases/queries";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query } from "~/shared/navigation/query";

const search = query({
  shown: oneOf(["open", "ended"]),
});

export const Route = createFileRoute("/_default/operations/cases")({
  validateSearch: search,
  loaderDeps: ({ search: { shown } }) => ({ ended: shown === "ended" }),
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, casesQuery(deps));
  },
  component: Cases,
});

function Cases() {
  return <CasesScreen ended={Route.useSearch().shown === "ended"} />;
}
