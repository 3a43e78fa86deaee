import { createFileRoute } from "@tanstack/react-router";
import { EmployeeScreen } from "~/features/dealers/employee-screen";
import { dayOf, dealerQuery, ownDealer, rewardsQuery } from "~/features/dealers/queries";
import { ahead } from "~/shared/api/ahead";
import { session } from "~/shared/session/session";

type Search = { from?: string; to?: string; page?: number };

export const Route = createFileRoute("/_default/rewards/$id")({
  validateSearch: (search: Record<string, unknown>): Search => ({
    from: dayOf(search.from),
    to: dayOf(search.to),
    page: Math.min(Math.max(Math.trunc(Number(search.page)) || 1, 1), 3000),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { id }, deps: { page = 1, ...stretch } }) => {
    const now = session();
    const own = ownDealer(now);
    const rewards = own ? [rewardsQuery(own, id, page, stretch)] : [];
    ahead(queryClient, dealerQuery(now), ...rewards);
  },
  component: EmployeeRewards,
});

function EmployeeRewards() {
  const { page = 1, ...stretch } = Route.useSearch();
  return <EmployeeScreen installerId={Route.useParams().id} page={page} stretch={stretch} />;
}
