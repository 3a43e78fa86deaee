import { createFileRoute } from "@tanstack/react-router";
import { DeviceScreen } from "~/features/activation/screen";
import { query, text } from "~/shared/navigation/query";
import { fetchedDialog } from "~/shared/ui/fetched";
import { WiringBesideProvider } from "~/shared/vehicles/beside";

const WiringBeside = fetchedDialog(() => import("~/features/wiring/wiring-beside"));

const search = query({
  id: text(),
  step: text(),
});

export const Route = createFileRoute("/_task/activation/device")({
  validateSearch: search,
  component: Device,
});

function Device() {
  const { id, step } = Route.useSearch();
  return (
    <WiringBesideProvider value={WiringBeside}>
      <DeviceScreen id={id} step={step} />
    </WiringBesideProvider>
  );
}
