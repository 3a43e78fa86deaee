import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AcceptInviteScreen } from "~/features/identity/invitation";

const search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_plain/accept-invite")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <AcceptInviteScreen token={Route.useSearch().token} />;
}
