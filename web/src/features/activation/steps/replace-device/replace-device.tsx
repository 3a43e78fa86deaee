import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Trans, useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import { faultWords } from "~/shared/forms/fault-words";
import { Panel } from "~/shared/ui/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { asDigits, asSerial, FAULT_WORDS, replacementSchema } from "../../schema";
import type { Run } from "../../session-hook";

type Fields = { new_device_key: string; iccid_last_digits: string };

/** The device of this run hands over to another one. The SIM digits prove possession, so that they are never kept. */
export function ReplaceDevice({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const { view } = run.answer;
  const old = view.device.device_key;
  const draft = useDraft<{ new_device_key: string }>(view.id, "replace-device");
  const form = useForm<Fields, unknown, Fields>({
    resolver: standardSchemaResolver(replacementSchema(view.guest, old)),
    defaultValues: { new_device_key: draft.held?.new_device_key ?? "", iccid_last_digits: "" },
  });
  const { errors, isSubmitted } = form.formState;
  const told = (fault: string | undefined) =>
    fault && (FAULT_WORDS[fault] ? i18n._(FAULT_WORDS[fault]) : faultWords(fault, i18n));
  const refused = (name: string) =>
    isSubmitted ? undefined : view.error?.fields?.find(({ field }) => field === name)?.message;

  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            Another device takes over from <strong>{old}</strong>. This is what happens:
          </Trans>
        </p>
        <ol className={classes.hints}>
          <li>
            <Trans>The new device is checked, and it is kept for this activation.</Trans>
          </li>
          <li>
            <Trans>Plan, vehicle and KeyLocker move from the old device to the new one.</Trans>
          </li>
          <li>
            <Trans>
              The old device is retired. The steps go on with the new one, and its first answer
              verifies the change.
            </Trans>
          </li>
        </ol>
        <form
          id="replace"
          className={classes.form}
          noValidate
          onSubmit={form.handleSubmit(({ new_device_key, iccid_last_digits }) =>
            run.ask({
              type: "SUBMIT",
              data: { new_device_key, iccid_last_digits: iccid_last_digits || undefined },
            }),
          )}
        >
          <TextInput
            size="lg"
            label={t`Serial number of the new device`}
            description={t`Type it or scan the label: a scanner's Enter goes on by itself.`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="go"
            error={told(errors.new_device_key?.message ?? refused("new_device_key"))}
            {...form.register("new_device_key", {
              onChange: (event) => {
                const key = asSerial(event.target.value);
                form.setValue("new_device_key", key, { shouldValidate: isSubmitted });
                draft.keep({ new_device_key: key });
              },
            })}
          />
          <TextInput
            size="lg"
            label={
              view.guest
                ? t`Last 5 digits of the SIM (ICCID)`
                : t`Last 5 digits of the SIM (ICCID), optional`
            }
            description={t`They stand under the serial number of the new device.`}
            inputMode="numeric"
            autoComplete="off"
            error={told(errors.iccid_last_digits?.message ?? refused("iccid_last_digits"))}
            {...form.register("iccid_last_digits", {
              onChange: (event) =>
                form.setValue("iccid_last_digits", asDigits(event.target.value), {
                  shouldValidate: isSubmitted,
                }),
            })}
          />
        </form>
      </Panel>
      <StepActions run={run} label={<Trans>Replace the device</Trans>} form="replace" />
    </>
  );
}
