import { createFileRoute } from "@tanstack/react-router";
import { WaitsMark } from "~/features/activation/waiting/waits-mark";
import { STEP_WORDS, TYPE_WORDS } from "~/features/activation/words";
import { proofOf } from "~/features/devices/proofs";
import { deviceQuery } from "~/features/devices/queries";
import { DeviceScreen } from "~/features/devices/screen";
import { FirmwareSummary } from "~/features/firmware/summary";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/devices/$key")({
  loader: ({ context: { queryClient }, params }) => {
    const key = params.key.toUpperCase();
    ahead(queryClient, deviceQuery(key, proofOf(key)));
  },
  component: Device,
});

const WORDS = { step: STEP_WORDS, type: TYPE_WORDS };

function Device() {
  const deviceKey = Route.useParams().key.toUpperCase();
  return (
    <DeviceScreen
      key={deviceKey}
      deviceKey={deviceKey}
      words={WORDS}
      waits={(id) => <WaitsMark id={id} />}
      firmware={(digits) => <FirmwareSummary wanted={{ deviceKey, digits }} />}
    />
  );
}
