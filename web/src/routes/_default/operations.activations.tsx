import { createFileRoute } from "@tanstack/react-router";
import { filtersOf } from "~/features/dealers/board/filters";
import type { BoardFilters } from "~/features/dealers/board/queries";
import { StepsScreen } from "~/features/dealers/board/steps-screen";

export const Route = createFileRoute("/_default/operations/activations")({
  validateSearch: (search: Record<string, unknown>): BoardFilters => filtersOf(search),
  component: ActivationsAtWork,
});

function ActivationsAtWork() {
  return <StepsScreen filters={Route.useSearch()} />;
}
