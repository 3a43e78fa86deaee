import { msg } from "@lingui/core/macro";
import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DashboardScreen } from "~/features/activation/dashboard";

const search = z.object({ scope: z.catch(z.optional(z.enum(["mine", "dealer"])), undefined) });

export const Route = createFileRoute("/_default/")({
  staticData: { title: msg`Dashboard` },
  validateSearch: search,
  component: Dashboard,
});

function Dashboard() {
  return <DashboardScreen scope={Route.useSearch().scope ?? "mine"} />;
}
