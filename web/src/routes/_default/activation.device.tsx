import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DeviceScreen } from "~/features/activation/screen";

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
  return <DeviceScreen id={id} step={step} />;
}
