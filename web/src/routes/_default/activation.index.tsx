import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { SerialScreen } from "~/features/activation/serial";

const search = z.object({ device: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_default/activation/")({
  validateSearch: search,
  component: Serial,
});

function Serial() {
  return <SerialScreen deviceKey={Route.useSearch().device} />;
}
