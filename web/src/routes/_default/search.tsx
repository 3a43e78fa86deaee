import { createFileRoute } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { searchAddress } from "~/features/catalogue/address";
import { SearchScreen } from "~/features/catalogue/search-screen";
import { addFromList } from "~/shared/cart/actions";
import { PageSkeleton } from "~/shared/ui/page-skeleton";

const QuickOrder = lazy(() => import("~/features/cart/quick-order-screen"));

export const Route = createFileRoute("/_default/search")({
  validateSearch: searchAddress,
  component: Search,
});

/** Products found, or the pad of the quick order when `qo` is set (shop spec 2). */
function Search() {
  const address = Route.useSearch();
  if (!address.qo) return <SearchScreen address={address} actionFor={addFromList} />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <QuickOrder />
    </Suspense>
  );
}
