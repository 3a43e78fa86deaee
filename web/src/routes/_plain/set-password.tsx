import { createFileRoute } from "@tanstack/react-router";
import { SetPasswordScreen } from "~/features/identity/password/set-password";
import { query, text } from "~/shared/navigation/query";

const search = query({ token: text() });

export const Route = createFileRoute("/_plain/set-password")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <SetPasswordScreen token={Route.useSearch().token} />;
}
