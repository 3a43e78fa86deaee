import { createFileRoute } from "@tanstack/react-router";
import { dealerQuery, ownDealer, type Part, rewardsQuery } from "~/features/dealers/queries";
import { EmployeeScreen } from "~/features/dealers/rewards/employee-screen";
import { ahead } from "~/shared/api/ahead";
import { CONSTANTS } from "~/shared/constants";
import { day, oneNumberOf } from "~/shared/navigation/query";
import { session } from "~/shared/session/session";

type Search = { from?: string; to?: string; page?: number; rows?: number };

const rowsOf = oneNumberOf(CONSTANTS.tablePageSizes);

export const Route = createFileRoute("/_default/rewards/$id")({
  validateSearch: (search: Record<string, unknown>): Search => ({
    from: day(search.from),
    to: day(search.to),
    page: Math.min(Math.max(Math.trunc(Number(search.page)) || 1, 1), 3000),
    rows: rowsOf(search.rows),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { id }, deps: { from, to, ...part } }) => {
    const now = session();
    const own = ownDealer(now);
    const rewards = own ? [rewardsQuery(own, id, partOf(part), { from, to })] : [];
    ahead(queryClient, dealerQuery(now), ...rewards);
  },
  component: EmployeeRewards,
});

function partOf({ page = 1, rows = CONSTANTS.tablePageSize }: Search): Part {
  return { page, rows };
}

function EmployeeRewards() {
  const { from, to, ...part } = Route.useSearch();
  const { id } = Route.useParams();
  return <EmployeeScreen installerId={id} part={partOf(part)} stretch={{ from, to }} />;
}
