import { createFileRoute } from "@tanstack/react-router";
import { lazy } from "react";
import { DeviceScreen } from "~/features/activation/screen";
import { query, text } from "~/shared/navigation/query";
import { WiringBesideProvider } from "~/shared/vehicles/beside";

const WiringBeside = lazy(() => import("~/features/wiring/wiring-beside"));

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
