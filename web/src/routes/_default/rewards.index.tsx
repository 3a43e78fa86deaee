import { createFileRoute } from "@tanstack/react-router";
import { dayOf, dealerQuery, ownDealer, sumsQuery } from "~/features/dealers/queries";
import { RewardsScreen } from "~/features/dealers/rewards-screen";
import { ahead } from "~/shared/api/ahead";
import { session } from "~/shared/session/session";

export const Route = createFileRoute("/_default/rewards/")({
  validateSearch: (search: Record<string, unknown>): { from?: string; to?: string } => ({
    from: dayOf(search.from),
    to: dayOf(search.to),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    const now = session();
    const own = ownDealer(now);
    ahead(queryClient, dealerQuery(now), ...(own ? [sumsQuery(own, deps)] : []));
  },
  component: Rewards,
});

function Rewards() {
  return <RewardsScreen stretch={Route.useSearch()} />;
}
