import { createFileRoute } from "@tanstack/react-router";
import { STEP_WORDS, TYPE_WORDS } from "~/features/activation/words";
import { DeviceScreen } from "~/features/devices/screen";
import { FirmwareSummary } from "~/features/firmware/summary";

export const Route = createFileRoute("/_default/devices/$key")({ component: Device });

const WORDS = { step: STEP_WORDS, type: TYPE_WORDS };

function Device() {
  const deviceKey = Route.useParams().key.toUpperCase();
  return (
    <DeviceScreen
      key={deviceKey}
      deviceKey={deviceKey}
      words={WORDS}
      firmware={(digits) => <FirmwareSummary wanted={{ deviceKey, digits }} />}
    />
  );
}
