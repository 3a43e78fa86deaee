import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { startActivation } from "~/features/activation/start/start";
import { visitQuery } from "~/features/devices/visits/queries";
import { VisitScreen } from "~/features/devices/visits/screen";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/visits/$id")({
  loader: ({ context: { queryClient }, params }) => {
    ahead(queryClient, visitQuery(params.id));
  },
  component: Visit,
});

function Visit() {
  const { id } = Route.useParams();
  const navigate = useNavigate();
  async function start(deviceKey: string, key: string) {
    const place = await startActivation(
      { device_key: deviceKey, type: "service-device", advanced: false },
      key,
    );
    await navigate({ to: "/activation/device", search: { id: place.id } });
  }
  return <VisitScreen key={id} id={id} onStart={start} />;
}
