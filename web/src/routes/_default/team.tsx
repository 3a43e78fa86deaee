import { createFileRoute } from "@tanstack/react-router";
import { filtersOf } from "~/features/dealers/board/filters";
import type { BoardFilters } from "~/features/dealers/board/queries";
import { TeamScreen } from "~/features/dealers/board/screen";

export const Route = createFileRoute("/_default/team")({
  validateSearch: (search: Record<string, unknown>): BoardFilters => filtersOf(search),
  component: TeamAtWork,
});

function TeamAtWork() {
  return <TeamScreen filters={Route.useSearch()} />;
}
