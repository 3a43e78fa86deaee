import { Trans, useLingui } from "@lingui/react/macro";
import { ScanCode } from "~/shared/scan/scan-code";

/** Reads a VIN from the door frame or the windscreen. */
export function ScanVin({ onVin }: { onVin: (vin: string) => void }) {
  const { t } = useLingui();
  return (
    <ScanCode
      label={t`Scan the VIN with the camera`}
      hint={<Trans>Hold the code on the door frame or the windscreen into the picture.</Trans>}
      wanted="vin"
      onFound={onVin}
    >
      <Trans>Scan the VIN</Trans>
    </ScanCode>
  );
}
