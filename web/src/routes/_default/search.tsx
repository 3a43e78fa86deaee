import { createFileRoute } from "@tanstack/react-router";
import { pageSizeOf, searchAddress, wantedIn } from "~/features/catalogue/address";
import { facetsQuery, productsQuery } from "~/features/catalogue/queries";
import { SearchScreen } from "~/features/catalogue/search-screen";
import { ahead } from "~/shared/api/ahead";
import { addFromList } from "~/shared/cart/actions";
import { session } from "~/shared/session/session";
import { fetched } from "~/shared/ui/fetched";
import { ErrorScreen } from "~/shared/ui/screens/error-screen";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";

const QuickOrder = fetched(() => import("~/features/checkout/cart/quick-order-screen"), {
  pending: () => <PageSkeleton />,
  failed: (_, cause) => <ErrorScreen error={cause} />,
});

export const Route = createFileRoute("/_default/search")({
  validateSearch: searchAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    const now = session();
    const rows = pageSizeOf(now.state === "anonymous" ? "guest" : now.user.id);
    if (deps.qo) return;
    const wanted = wantedIn(deps);
    ahead(queryClient, productsQuery(wanted, rows), facetsQuery(wanted));
  },
  component: Search,
});

/** Products found, or the pad of the quick order when `qo` is set (shop spec 2). */
function Search() {
  const address = Route.useSearch();
  if (!address.qo) return <SearchScreen address={address} actionFor={addFromList} />;
  return <QuickOrder />;
}
