import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DeclineEmailScreen } from "~/features/identity/email-change";

const search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_plain/change-email-decline")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <DeclineEmailScreen token={Route.useSearch().token} />;
}
