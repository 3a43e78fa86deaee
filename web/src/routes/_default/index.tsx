import { i18n } from "@lingui/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { DashboardScreen } from "~/features/activation/dashboard";
import { unfinishedQuery } from "~/features/activation/queries";
import { WaitingOrders } from "~/features/checkout/approvals/waiting-orders";
import { Carousel } from "~/features/content/carousel";
import { carouselQuery } from "~/features/content/queries";
import type { Language } from "~/i18n/language";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query } from "~/shared/navigation/query";
import { session, useSession } from "~/shared/session/session";

const search = query({ scope: oneOf(["mine", "dealer"]) });

export const Route = createFileRoute("/_default/")({
  validateSearch: search,
  loaderDeps: ({ search: { scope = "mine" } }) => ({ scope }),
  loader: ({ context: { queryClient }, deps: { scope } }) => {
    ahead(queryClient, carouselQuery(i18n.locale as Language));
    const now = session();
    if (now.state === "signed-in" && !now.user.is_outside_rep)
      ahead(queryClient, unfinishedQuery(scope));
  },
  component: Dashboard,
});

function Dashboard() {
  const { scope = "mine" } = Route.useSearch();
  const now = useSession();
  const hasList = now.state !== "anonymous" && !now.user.is_outside_rep;
  const list = useInfiniteQuery({ ...unfinishedQuery(scope), enabled: hasList });
  return (
    <>
      <DashboardScreen scope={scope} aside={<WaitingOrders quiet />} />
      {list.isLoading ? null : <Carousel />}
    </>
  );
}
