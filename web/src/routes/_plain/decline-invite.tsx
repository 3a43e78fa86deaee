import { createFileRoute } from "@tanstack/react-router";
import { DeclineInviteScreen } from "~/features/identity/invitation";
import { query, text } from "~/shared/navigation/query";

const search = query({ token: text() });

export const Route = createFileRoute("/_plain/decline-invite")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <DeclineInviteScreen token={Route.useSearch().token} />;
}
