import { createFileRoute } from "@tanstack/react-router";
import { accountQuery } from "~/features/operations/account/account";
import { AccountScreen } from "~/features/operations/account/account-screen";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const search = query({ who: text() });

export const Route = createFileRoute("/_default/operations/account")({
  validateSearch: search,
  loaderDeps: ({ search: { who } }) => ({ who }),
  loader: ({ context: { queryClient }, deps: { who } }) => {
    if (who) ahead(queryClient, accountQuery(who));
  },
  component: AccountOfOperations,
});

function AccountOfOperations() {
  const { who } = Route.useSearch();
  return <AccountScreen key={who} who={who} />;
}
