import { createFileRoute } from "@tanstack/react-router";
import { EmployeeScreen } from "~/features/dealers/employee-screen";
import { dayOf } from "~/features/dealers/queries";

type Search = { from?: string; to?: string; page?: number };

export const Route = createFileRoute("/_default/rewards/$id")({
  validateSearch: (search: Record<string, unknown>): Search => ({
    from: dayOf(search.from),
    to: dayOf(search.to),
    page: Math.min(Math.max(Math.trunc(Number(search.page)) || 1, 1), 3000),
  }),
  component: EmployeeRewards,
});

function EmployeeRewards() {
  const { page = 1, ...stretch } = Route.useSearch();
  return <EmployeeScreen installerId={Route.useParams().id} page={page} stretch={stretch} />;
}
