import { createFileRoute } from "@tanstack/react-router";
import { VisitsScreen } from "~/features/devices/visits/list-screen";
import { visitsQuery } from "~/features/devices/visits/queries";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const search = query({ device: text() });

export const Route = createFileRoute("/_default/visits/")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    ahead(queryClient, visitsQuery("ours"), visitsQuery("mine"));
  },
  component: Visits,
});

function Visits() {
  const device = Route.useSearch().device ?? "";
  return <VisitsScreen device={device.toUpperCase().replaceAll(/[^A-Z0-9-]/g, "")} />;
}
