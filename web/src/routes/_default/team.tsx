import { createFileRoute } from "@tanstack/react-router";
import { filtersOf } from "~/features/dealers/board/filters";
import { type BoardFilters, openQuery } from "~/features/dealers/board/queries";
import { TeamScreen } from "~/features/dealers/board/screen";
import { dealerQuery, ownDealer } from "~/features/dealers/queries";
import { ahead } from "~/shared/api/ahead";
import { runsBusiness } from "~/shared/session/rights";
import { session } from "~/shared/session/session";

export const Route = createFileRoute("/_default/team")({
  validateSearch: (search: Record<string, unknown>): BoardFilters => filtersOf(search),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    const now = session();
    const own = ownDealer(now);
    if (!runsBusiness(now)) return;
    ahead(queryClient, dealerQuery(now), ...(own ? [openQuery(own, deps)] : []));
  },
  component: TeamAtWork,
});

function TeamAtWork() {
  return <TeamScreen filters={Route.useSearch()} />;
}
