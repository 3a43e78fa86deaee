import { createFileRoute } from "@tanstack/react-router";
import { payoutsIn, payoutsQuery } from "~/features/operations/payouts/queries";
import { overviewQuery, runsQuery } from "~/features/operations/queries";
import {
  differencesQuery,
  reconciliationQuery,
} from "~/features/operations/reconciliation/queries";
import { differencesIn } from "~/features/operations/reconciliation/words";
import { OperationsScreen } from "~/features/operations/screen";
import { ahead } from "~/shared/api/ahead";
import { RUN_KINDS } from "~/shared/api/run-kinds.gen";
import { oneOf, query, text } from "~/shared/navigation/query";

const search = query({
  shown: oneOf(["all", "open", "stuck", "retrying", "attention", "ended"]),
  kind: oneOf(RUN_KINDS),
  state: text(),
  subject: text(),
  // Which of them there are is known where they are shown, and not on every page.
  payouts: text(),
  differences: text(),
});

export const Route = createFileRoute("/_default/operations/")({
  validateSearch: search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { payouts, differences, ...filters } }) => {
    ahead(
      queryClient,
      overviewQuery,
      runsQuery(filters),
      reconciliationQuery,
      differencesQuery(differencesIn(differences)),
      payoutsQuery(payoutsIn(payouts)),
    );
  },
  component: Operations,
});

function Operations() {
  return <OperationsScreen address={Route.useSearch()} />;
}
