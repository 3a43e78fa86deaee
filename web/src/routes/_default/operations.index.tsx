import { createFileRoute } from "@tanstack/react-router";
import { payoutsQuery } from "~/features/operations/payouts/queries";
import { overviewQuery, runsQuery } from "~/features/operations/queries";
import {
  differencesQuery,
  reconciliationQuery,
} from "~/features/operations/reconciliation/queries";
import { OperationsScreen } from "~/features/operations/screen";
import { ahead } from "~/shared/api/ahead";
import { RUN_KINDS } from "~/shared/api/run-kinds.gen";
import { oneOf, query, text } from "~/shared/navigation/query";

const search = query({
  shown: oneOf(["all", "open", "stuck", "retrying", "attention", "ended"]),
  kind: oneOf(RUN_KINDS),
  state: text(),
  subject: text(),
});

export const Route = createFileRoute("/_default/operations/")({
  validateSearch: search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(
      queryClient,
      overviewQuery,
      runsQuery(deps),
      reconciliationQuery,
      differencesQuery("open"),
      payoutsQuery("open"),
    );
  },
  component: Operations,
});

function Operations() {
  return <OperationsScreen filters={Route.useSearch()} />;
}
