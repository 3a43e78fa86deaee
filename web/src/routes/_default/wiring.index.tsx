import { createFileRoute } from "@tanstack/react-router";
import { wiringAddress } from "~/features/vehicles/address";
import { WiringScreen } from "~/features/vehicles/wiring-screen";
import { vehicleAhead } from "~/shared/vehicles/wiring/ahead";

export const Route = createFileRoute("/_default/wiring/")({
  validateSearch: wiringAddress,
  loaderDeps: ({ search: { vehicle } }) => ({ vehicle }),
  loader: ({ context: { queryClient }, deps: { vehicle }, cause }) => {
    if (cause !== "stay") vehicleAhead(queryClient, vehicle);
  },
  component: Wiring,
});

function Wiring() {
  return <WiringScreen address={Route.useSearch()} />;
}
