import { createFileRoute, Navigate } from "@tanstack/react-router";
import { handoutQuery } from "~/features/activation/handout/queries";
import { HandoutScreen } from "~/features/activation/handout/screen";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";
import { session } from "~/shared/session/session";

const search = query({ id: text() });

export const Route = createFileRoute("/_task/activation/handout")({
  validateSearch: search,
  loaderDeps: ({ search: { id } }) => ({ id }),
  loader: ({ context: { queryClient }, deps: { id }, location }) => {
    // A guest's link carries what they are known by, which the page takes up.
    if (id && !location.hash && session().state === "signed-in")
      ahead(queryClient, handoutQuery(id));
  },
  component: Page,
});

function Page() {
  const { id } = Route.useSearch();
  return id ? <HandoutScreen id={id} /> : <Navigate to="/activation" replace />;
}
