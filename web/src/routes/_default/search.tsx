import { createFileRoute } from "@tanstack/react-router";
import { searchAddress } from "~/features/catalogue/address";
import { SearchScreen } from "~/features/catalogue/search-screen";

export const Route = createFileRoute("/_default/search")({
  validateSearch: searchAddress,
  component: Search,
});

function Search() {
  return <SearchScreen address={Route.useSearch()} />;
}
