import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { RevertEmailScreen } from "~/features/identity/email-change";

const search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_plain/change-email-revert")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <RevertEmailScreen token={Route.useSearch().token} />;
}
