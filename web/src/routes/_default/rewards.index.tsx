import { createFileRoute } from "@tanstack/react-router";
import { dealerQuery, ownDealer, sumsQuery } from "~/features/dealers/queries";
import { RewardsScreen } from "~/features/dealers/rewards/rewards-screen";
import { ahead } from "~/shared/api/ahead";
import { day, query } from "~/shared/navigation/query";
import { session } from "~/shared/session/session";

export const Route = createFileRoute("/_default/rewards/")({
  validateSearch: query({ from: day, to: day }),
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
