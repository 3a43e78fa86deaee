import { createFileRoute } from "@tanstack/react-router";
import { AcceptInviteScreen } from "~/features/identity/invitation";
import { query, text } from "~/shared/navigation/query";

const search = query({ token: text() });

export const Route = createFileRoute("/_plain/accept-invite")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <AcceptInviteScreen token={Route.useSearch().token} />;
}
