import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { startActivation } from "~/features/activation/start";
import { VisitScreen } from "~/features/visits/screen";

export const Route = createFileRoute("/_default/visits/$id")({ component: Visit });

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
