import { createFileRoute } from "@tanstack/react-router";
import { AcceptEmailScreen } from "~/features/identity/email-change";
import { query, text } from "~/shared/navigation/query";

const search = query({ token: text() });

export const Route = createFileRoute("/_plain/change-email-accept")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <AcceptEmailScreen token={Route.useSearch().token} />;
}
