import { Trans, useLingui } from "@lingui/react/macro";
import { ScanCode } from "./scan-code";

/** Reads the serial number on a device's label. */
export function ScanSerial({ onSerial }: { onSerial: (serial: string) => void }) {
  const { t } = useLingui();
  return (
    <ScanCode
      label={t`Scan the serial number with the camera`}
      hint={<Trans>Hold the code on the device's label into the picture.</Trans>}
      wanted="serial"
      onFound={onSerial}
    >
      <Trans>Scan the serial number</Trans>
    </ScanCode>
  );
}

/** Reads the last five digits of the SIM's number on it. */
export function ScanDigits({ onDigits }: { onDigits: (digits: string) => void }) {
  const { t } = useLingui();
  return (
    <ScanCode
      label={t`Scan the SIM number with the camera`}
      hint={<Trans>Hold the code of the SIM (ICCID) into the picture.</Trans>}
      wanted="digits"
      onFound={onDigits}
    >
      <Trans>Scan the SIM number</Trans>
    </ScanCode>
  );
}
