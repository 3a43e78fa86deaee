import { createFileRoute } from "@tanstack/react-router";
import { statementAddress } from "~/features/billing/statement/address";
import { statementQuery } from "~/features/billing/statement/queries";
import { StatementScreen } from "~/features/billing/statement/screen";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/statement")({
  validateSearch: statementAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, statementQuery(deps));
  },
  component: Statement,
});

function Statement() {
  return <StatementScreen address={Route.useSearch()} />;
}
