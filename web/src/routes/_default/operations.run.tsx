import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { runQuery } from "~/features/operations/queries";
import { RunPage } from "~/features/operations/run-screen";
import { RUN_KINDS } from "~/features/operations/words";
import { ahead } from "~/shared/api/ahead";

const search = z.object({
  kind: z.catch(z.enum(RUN_KINDS), "activation"),
  id: z.catch(z.string(), ""),
});

export const Route = createFileRoute("/_default/operations/run")({
  validateSearch: search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, runQuery(deps));
  },
  component: RunOfOperations,
});

function RunOfOperations() {
  const { kind, id } = Route.useSearch();
  return <RunPage kind={kind} id={id} />;
}
