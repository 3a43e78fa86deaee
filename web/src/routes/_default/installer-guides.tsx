import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { GuidesScreen } from "~/features/wiring/guides-screen";
import { folderQuery } from "~/features/wiring/queries";
import { ahead } from "~/shared/api/ahead";

const slug = z.catch(
  z.optional(z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(200))),
  undefined,
);
const search = z.object({ folder: slug, document: slug });

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
