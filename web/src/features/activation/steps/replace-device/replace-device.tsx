import { Trans, useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { faultWords } from "~/shared/forms/fault-words";
import { useFields } from "~/shared/forms/fields";
import { ScanDigits, ScanSerial } from "~/shared/scan/scan-device";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { asDigits, asSerial, digitsFault, replacementFault, useFaultWords } from "../../schema";
import type { Run } from "../../session-hook";

/** The device of this run hands over to another one; whoever comes back after that goes on with that one (decision 23). The SIM digits prove possession, so that they are never kept. */
export function ReplaceDevice({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const { view } = run.answer;
  const before = view.facts.replaced;
  const old = before?.old_device_key ?? view.device.device_key;
  const draft = useDraft<{ new_device_key: string }>(view.id, "replace-device");
  const words = useFaultWords();
  const form = useFields(
    {
      new_device_key: {
        rules: [(key) => words(replacementFault(key, old))],
        initial: draft.held?.new_device_key ?? before?.new_device_key,
        shape: asSerial,
      },
      iccid_last_digits: {
        rules: [(digits) => words(digitsFault(digits, view.guest))],
        shape: asDigits,
      },
    },
    { leavable: true, onTyped: ({ new_device_key }) => draft.keep({ new_device_key }) },
  );
  const key = form.field("new_device_key");
  const label =
    key.value === before?.new_device_key ? (
      <Trans>Continue</Trans>
    ) : (
      <Trans>Replace the device</Trans>
    );
  const digits = form.field("iccid_last_digits");
  const refused = (name: string) => {
    const fault = view.error?.fields?.find(({ field }) => field === name)?.message;
    return form.dirty || fault === undefined ? undefined : faultWords(fault, i18n);
  };

  return (
    <>
      <Panel className={classes.body}>
        {before ? (
          <Note tone="plain">
            <Trans>
              <strong>{before.new_device_key}</strong> has taken over from <strong>{old}</strong>{" "}
              already. Go on with it, or name another device that takes over from it.
            </Trans>
          </Note>
        ) : (
          <WhatHappens to={old} />
        )}
        <form
          id="replace"
          className={classes.form}
          noValidate
          onSubmit={form.submit(({ new_device_key, iccid_last_digits }) =>
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
            {...key}
            error={key.error ?? refused(key.name)}
          />
          <ScanSerial onSerial={(serial) => form.set("new_device_key", serial)} />
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
            {...digits}
            error={digits.error ?? refused(digits.name)}
          />
          <ScanDigits onDigits={(read) => form.set("iccid_last_digits", read)} />
        </form>
      </Panel>
      <StepActions run={run} label={label} form="replace" />
    </>
  );
}

function WhatHappens({ to: old }: { to: string }) {
  return (
    <>
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
    </>
  );
}
