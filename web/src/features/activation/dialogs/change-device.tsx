import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import { asDigits, asSerial, FAULT_WORDS, serialSchema } from "../schema";
import type { Run } from "../session-hook";
import { Ask } from "./ask";

type Fields = { device_key: string; iccid_last_digits: string };

export function ChangeDeviceDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const form = useForm<Fields, unknown, Fields>({
    resolver: standardSchemaResolver(serialSchema(run.answer.view.guest)),
    defaultValues: { device_key: "", iccid_last_digits: "" },
  });
  const { errors } = form.formState;
  const words = (fault: string | undefined) =>
    fault && FAULT_WORDS[fault] && i18n._(FAULT_WORDS[fault]);

  function change({ device_key, iccid_last_digits }: Fields) {
    run.ask({
      type: "CHANGE_DEVICE",
      device_key,
      iccid_last_digits: iccid_last_digits || undefined,
    });
    onClose();
  }

  return (
    <Ask
      title={t`Use another device?`}
      confirm={t`Change the device`}
      onConfirm={() => void form.handleSubmit(change)()}
      onClose={onClose}
    >
      <p>{t`What is known of the present device is cleared, and the steps start again with the other one.`}</p>
      <TextInput
        size="md"
        label={t`Serial number`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={words(errors.device_key?.message)}
        {...form.register("device_key", {
          onChange: (event) => form.setValue("device_key", asSerial(event.target.value)),
        })}
      />
      <TextInput
        size="md"
        label={t`Last 5 digits of the SIM (ICCID)`}
        inputMode="numeric"
        autoComplete="off"
        error={words(errors.iccid_last_digits?.message)}
        {...form.register("iccid_last_digits", {
          onChange: (event) => form.setValue("iccid_last_digits", asDigits(event.target.value)),
        })}
      />
    </Ask>
  );
}
