import { createFileRoute } from "@tanstack/react-router";
import { RevertEmailScreen } from "~/features/identity/email-change";
import { query, text } from "~/shared/navigation/query";

const search = query({ token: text() });

export const Route = createFileRoute("/_plain/change-email-revert")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <RevertEmailScreen token={Route.useSearch().token} />;
}
