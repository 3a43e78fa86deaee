import { createFileRoute } from "@tanstack/react-router";
import { wiringAddress } from "~/features/wiring/address";
import { WiringScreen } from "~/features/wiring/wiring-screen";

export const Route = createFileRoute("/_default/wiring/")({
  validateSearch: wiringAddress,
  component: Wiring,
});

function Wiring() {
  return <WiringScreen address={Route.useSearch()} />;
}
