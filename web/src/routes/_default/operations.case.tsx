import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CaseScreen } from "~/features/operations/cases/case-screen";
import { caseQuery } from "~/features/operations/cases/queries";
import { ahead } from "~/shared/api/ahead";

const search = z.object({ id: z.catch(z.string(), "") });

export const Route = createFileRoute("/_default/operations/case")({
  validateSearch: search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, caseQuery(deps.id));
  },
  component: CaseOfOperations,
});

function CaseOfOperations() {
  return <CaseScreen id={Route.useSearch().id} />;
}
