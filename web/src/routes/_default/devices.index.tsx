import { createFileRoute } from "@tanstack/react-router";
import { DevicesScreen } from "~/features/devices/list-screen";
import { myDevicesQuery } from "~/features/devices/queries";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const search = query({ q: text() });

export const Route = createFileRoute("/_default/devices/")({
  validateSearch: search,
  loaderDeps: ({ search: { q } }) => ({ startsWith: serialOf(q) }),
  loader: ({ context: { queryClient }, deps: { startsWith } }) => {
    ahead(queryClient, myDevicesQuery(startsWith));
  },
  component: Devices,
});

function Devices() {
  return <DevicesScreen startsWith={serialOf(Route.useSearch().q)} />;
}

function serialOf(typed = ""): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9-]/g, "");
}
