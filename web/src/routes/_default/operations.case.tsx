import { createFileRoute, redirect } from "@tanstack/react-router";
import { CaseScreen } from "~/features/operations/cases/case-screen";
import { caseQuery } from "~/features/operations/cases/queries";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const search = query({ id: text() });

export const Route = createFileRoute("/_default/operations/case")({
  validateSearch: search,
  beforeLoad: ({ search: { id } }) => {
    if (!id) throw redirect({ to: "/operations/cases" });
  },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, caseQuery(deps.id ?? ""));
  },
  component: CaseOfOperations,
});

function CaseOfOperations() {
  return <CaseScreen id={Route.useSearch().id ?? ""} />;
}
