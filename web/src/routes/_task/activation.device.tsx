import { createFileRoute } from "@tanstack/react-router";
import { activationQuery } from "~/features/activation/queries";
import { DeviceScreen } from "~/features/activation/screen";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";
import { session } from "~/shared/session/session";
import { fetchedDialog } from "~/shared/ui/fetched";
import { WiringBesideProvider } from "~/shared/vehicles/wiring/beside";

const WiringBeside = fetchedDialog(() => import("~/features/vehicles/wiring-beside"));

const search = query({
  id: text(),
  step: text(),
});

export const Route = createFileRoute("/_task/activation/device")({
  validateSearch: search,
  loaderDeps: ({ search: { id } }) => ({ id }),
  loader: ({ context: { queryClient }, deps: { id }, location, cause }) => {
    // A guest's link carries what they are known by, which the page takes up. A run that is on screen is followed.
    if (id && cause !== "stay" && !location.hash && session().state === "signed-in")
      ahead(queryClient, activationQuery(id));
  },
  component: Device,
});

function Device() {
  const { id, step } = Route.useSearch();
  return (
    <WiringBesideProvider value={WiringBeside}>
      <DeviceScreen id={id} step={step} />
    </WiringBesideProvider>
  );
}
