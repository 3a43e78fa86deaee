import { createFileRoute } from "@tanstack/react-router";
import { OpenDevice } from "~/features/devices/screen";
import { FirmwareScreen } from "~/features/firmware/screen";

export const Route = createFileRoute("/_task/devices/$key/firmware")({ component: Firmware });

function Firmware() {
  const deviceKey = Route.useParams().key.toUpperCase();
  return (
    <FirmwareScreen
      key={deviceKey}
      deviceKey={deviceKey}
      open={(task) => (
        <OpenDevice deviceKey={deviceKey}>
          {({ device }, digits) => task(digits, device?.vehicle ?? undefined)}
        </OpenDevice>
      )}
    />
  );
}
