import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AccountScreen } from "~/features/operations/account-screen";

const search = z.object({ who: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_default/operations/account")({
  validateSearch: search,
  component: AccountOfOperations,
});

function AccountOfOperations() {
  const { who } = Route.useSearch();
  return <AccountScreen key={who} who={who} />;
}
