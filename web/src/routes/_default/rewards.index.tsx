import { createFileRoute } from "@tanstack/react-router";
import { dayOf } from "~/features/dealers/queries";
import { RewardsScreen } from "~/features/dealers/rewards-screen";

export const Route = createFileRoute("/_default/rewards/")({
  validateSearch: (search: Record<string, unknown>): { from?: string; to?: string } => ({
    from: dayOf(search.from),
    to: dayOf(search.to),
  }),
  component: Rewards,
});

function Rewards() {
  return <RewardsScreen stretch={Route.useSearch()} />;
}
