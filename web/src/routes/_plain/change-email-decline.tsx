import { createFileRoute } from "@tanstack/react-router";
import { DeclineEmailScreen } from "~/features/identity/email-change";
import { query, text } from "~/shared/navigation/query";

const search = query({ token: text() });

export const Route = createFileRoute("/_plain/change-email-decline")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <DeclineEmailScreen token={Route.useSearch().token} />;
}
