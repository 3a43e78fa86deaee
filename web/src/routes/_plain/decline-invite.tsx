import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DeclineInviteScreen } from "~/features/identity/invitation";

const search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_plain/decline-invite")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <DeclineInviteScreen token={Route.useSearch().token} />;
}
