import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import { ScanDigits, ScanSerial } from "~/shared/scan/scan-device";
import { asDigits, asSerial, digitsFault, serialFault, useFaultWords } from "../schema";
import type { Run } from "../session-hook";
import { Ask } from "./ask";
import { useAskingOf } from "./use-asking";

export function ChangeDeviceDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const words = useFaultWords();
  const { guest } = run.answer.view;
  const form = useFields({
    device_key: { rules: [(key) => words(serialFault(key))], shape: asSerial },
    iccid_last_digits: { rules: [(digits) => words(digitsFault(digits, guest))], shape: asDigits },
  });

  const asking = useAskingOf(form, run, "CHANGE_DEVICE", onClose);

  function change({ device_key, iccid_last_digits }: typeof form.texts) {
    asking.ask({
      type: "CHANGE_DEVICE",
      device_key,
      iccid_last_digits: iccid_last_digits || undefined,
    });
  }

  return (
    <Ask
      title={t`Use another device?`}
      confirm={t`Change the device`}
      onConfirm={form.submit(change)}
      asking={asking}
    >
      <p>{t`What is known of the present device is cleared, and the steps start again with the other one.`}</p>
      <TextInput
        size="md"
        label={t`Serial number`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field("device_key")}
      />
      <ScanSerial onSerial={(serial) => form.set("device_key", serial)} />
      <TextInput
        size="md"
        label={t`Last 5 digits of the SIM (ICCID)`}
        inputMode="numeric"
        autoComplete="off"
        {...form.field("iccid_last_digits")}
      />
      <ScanDigits onDigits={(digits) => form.set("iccid_last_digits", digits)} />
    </Ask>
  );
}
