import { createFileRoute } from "@tanstack/react-router";
import { lazy } from "react";
import * as z from "zod/mini";
import { DeviceScreen } from "~/features/activation/screen";
import { WiringBesideProvider } from "~/shared/vehicles/beside";

const WiringBeside = lazy(() => import("~/features/wiring/wiring-beside"));

const search = z.object({
  id: z.catch(z.optional(z.string()), undefined),
  step: z.catch(z.optional(z.string()), undefined),
});

export const Route = createFileRoute("/_default/activation/device")({
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
