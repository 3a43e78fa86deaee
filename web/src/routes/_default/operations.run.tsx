import { createFileRoute } from "@tanstack/react-router";
import { runQuery } from "~/features/operations/queries";
import { RunPage } from "~/features/operations/run/run-screen";
import { ahead } from "~/shared/api/ahead";
import { RUN_KINDS } from "~/shared/api/run-kinds.gen";
import { oneOf, query, text } from "~/shared/navigation/query";

const search = query({
  kind: oneOf(RUN_KINDS),
  id: text(),
});

export const Route = createFileRoute("/_default/operations/run")({
  validateSearch: search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, runQuery(named(deps)));
  },
  component: RunOfOperations,
});

function RunOfOperations() {
  return <RunPage {...named(Route.useSearch())} />;
}

function named({ kind = "activation", id = "" }: ReturnType<typeof search>) {
  return { kind, id };
}
