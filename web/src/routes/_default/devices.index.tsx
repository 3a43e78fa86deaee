import { createFileRoute } from "@tanstack/react-router";
import { DevicesScreen } from "~/features/devices/list-screen";
import { myDevicesQuery } from "~/features/devices/queries";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query, text } from "~/shared/navigation/query";

const search = query({ q: text(), state: oneOf(["in-work"]) });

export const Route = createFileRoute("/_default/devices/")({
  validateSearch: search,
  loaderDeps: ({ search: { q, state } }) => ({ startsWith: serialOf(q), state }),
  loader: ({ context: { queryClient }, deps: { startsWith, state } }) => {
    ahead(queryClient, myDevicesQuery(startsWith, state !== undefined));
  },
  component: Devices,
});

function Devices() {
  const { q, state } = Route.useSearch();
  return <DevicesScreen startsWith={serialOf(q)} state={state} />;
}

function serialOf(typed = ""): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9-]/g, "");
}
