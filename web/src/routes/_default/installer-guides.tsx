import { createFileRoute } from "@tanstack/react-router";
import { GuidesScreen } from "~/features/vehicles/guides-screen";
import { folderQuery } from "~/features/vehicles/queries";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";

const slug = text(/^(?=.{1,200}$)[a-z0-9]+(-[a-z0-9]+)*$/);
const search = query({ folder: slug, document: slug });

export const Route = createFileRoute("/_default/installer-guides")({
  validateSearch: search,
  loaderDeps: ({ search: { folder } }) => ({ folder }),
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, folderQuery(deps.folder));
  },
  component: Guides,
});

function Guides() {
  return <GuidesScreen {...Route.useSearch()} />;
}
