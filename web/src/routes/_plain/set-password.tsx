import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { SetPasswordScreen } from "~/features/identity/set-password";

const search = z.object({ token: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_plain/set-password")({
  validateSearch: search,
  component: Page,
});

function Page() {
  return <SetPasswordScreen token={Route.useSearch().token} />;
}
