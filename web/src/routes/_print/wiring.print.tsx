import { createFileRoute } from "@tanstack/react-router";
import { printAddress } from "~/features/vehicles/address";
import { PrintScreen } from "~/features/vehicles/print-screen";
import { vehicleAhead } from "~/shared/vehicles/wiring/ahead";

export const Route = createFileRoute("/_print/wiring/print")({
  validateSearch: printAddress,
  loaderDeps: ({ search: { vehicle } }) => ({ vehicle }),
  loader: ({ context: { queryClient }, deps: { vehicle }, cause }) => {
    if (cause !== "stay") vehicleAhead(queryClient, vehicle);
  },
  component: Print,
});

function Print() {
  return <PrintScreen vehicle={Route.useSearch().vehicle} />;
}
