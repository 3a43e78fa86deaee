import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DevicesScreen } from "~/features/devices/list-screen";

const search = z.object({ q: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_default/devices/")({
  validateSearch: search,
  component: Devices,
});

function Devices() {
  const { q } = Route.useSearch();
  return <DevicesScreen startsWith={(q ?? "").toUpperCase().replaceAll(/[^A-Z0-9-]/g, "")} />;
}
