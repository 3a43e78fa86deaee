import { createFileRoute } from "@tanstack/react-router";
import { filtersOf } from "~/features/dealers/board/filters";
import { type BoardFilters, openQuery, stepsQuery } from "~/features/dealers/board/queries";
import { StepsScreen } from "~/features/dealers/board/steps-screen";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/operations/activations")({
  validateSearch: (search: Record<string, unknown>): BoardFilters => filtersOf(search),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, stepsQuery, openQuery(null, deps));
  },
  component: ActivationsAtWork,
});

function ActivationsAtWork() {
  return <StepsScreen filters={Route.useSearch()} />;
}
