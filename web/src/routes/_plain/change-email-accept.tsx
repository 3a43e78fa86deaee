import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AcceptEmailScreen } from "~/features/identity/email-change";

const search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_plain/change-email-accept")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <AcceptEmailScreen token={Route.useSearch().token} />;
}
