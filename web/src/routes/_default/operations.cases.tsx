import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CasesScreen } from "~/features/operations/cases/list-screen";
import { casesQuery } from "~/features/operations/cases/queries";
import { ahead } from "~/shared/api/ahead";

const search = z.object({
  shown: z.catch(z.optional(z.enum(["open", "ended"])), undefined),
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
