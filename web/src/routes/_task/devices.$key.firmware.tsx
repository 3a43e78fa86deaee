import { createFileRoute } from "@tanstack/react-router";
import { proofOf } from "~/features/devices/proofs";
import { deviceQuery } from "~/features/devices/queries";
import { OpenDevice } from "~/features/devices/screen";
import { FirmwareScreen } from "~/features/firmware/screen";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_task/devices/$key/firmware")({
  loader: ({ context: { queryClient }, params }) => {
    const key = params.key.toUpperCase();
    ahead(queryClient, deviceQuery(key, proofOf(key)));
  },
  component: Firmware,
});

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
