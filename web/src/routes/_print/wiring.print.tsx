import { createFileRoute } from "@tanstack/react-router";
import { printAddress } from "~/features/wiring/address";
import { PrintScreen } from "~/features/wiring/print-screen";

export const Route = createFileRoute("/_print/wiring/print")({
  validateSearch: printAddress,
  component: Print,
});

function Print() {
  return <PrintScreen vehicle={Route.useSearch().vehicle} />;
}
