import { createFileRoute } from "@tanstack/react-router";
import { STATES } from "~/features/devices/visits/address";
import { VisitsScreen } from "~/features/devices/visits/list-screen";
import { visitsQuery } from "~/features/devices/visits/queries";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query, text } from "~/shared/navigation/query";

const search = query({ device: text(), ours: oneOf(STATES), mine: oneOf(STATES) });

export const Route = createFileRoute("/_default/visits/")({
  validateSearch: search,
  loaderDeps: ({ search: { ours, mine } }) => ({ ours, mine }),
  loader: ({ context: { queryClient }, deps: { ours, mine } }) => {
    ahead(queryClient, visitsQuery("ours", ours), visitsQuery("mine", mine));
  },
  component: Visits,
});

function Visits() {
  const wanted = Route.useSearch();
  const device = wanted.device?.toUpperCase().replaceAll(/[^A-Z0-9-]/g, "");
  return <VisitsScreen wanted={{ ...wanted, device }} />;
}
