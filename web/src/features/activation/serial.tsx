import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useUnsaved } from "~/shared/forms/unsaved";
import { useSession } from "~/shared/session/session";
import { isCanadian } from "~/shared/session/site";
import { Heading } from "~/shared/ui/heading";
import { Note, ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { remember } from "./entered";
import { DeviceLabel } from "./parts/device-label";
import { Unfinished } from "./parts/unfinished";
import { asDigits, asSerial, FAULT_WORDS, serialSchema } from "./schema";
import classes from "./setup.module.css";
import type { DeviceFound } from "./types";

type Fields = { device_key: string; iccid_last_digits: string };

/** Set Serial Number: which device, and (for guests) the proof that it is in hand. */
export function SerialScreen({ deviceKey }: { deviceKey: string | undefined }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const guest = useSession().state === "anonymous";
  const { problem, send } = useSend();
  const [running, setRunning] = useState<DeviceFound>();
  const form = useForm<Fields, unknown, Fields>({
    resolver: standardSchemaResolver(serialSchema(guest)),
    defaultValues: { device_key: deviceKey ?? "", iccid_last_digits: "" },
  });
  const { errors, isSubmitting, isDirty, isSubmitSuccessful } = form.formState;
  useUnsaved(isDirty && !isSubmitting && !isSubmitSuccessful);
  const words = (fault: string | undefined) =>
    fault && FAULT_WORDS[fault] && i18n._(FAULT_WORDS[fault]);

  async function check({ device_key, iccid_last_digits }: Fields) {
    setRunning(undefined);
    const entered = { device_key, iccid_last_digits: iccid_last_digits || undefined };
    const refused = await send(async () => {
      const answer = await answered(
        client.POST("/api/iot/device-check", {
          body: { ...entered, isCanadianUser: isCanadian() },
        }),
      );
      const found = answer.results[0];
      if (!found) return;
      remember({ ...entered, found });
      if (found.activation) setRunning(found);
      else
        await navigate({
          to: "/activation/select-activation-type",
          search: { device: device_key },
        });
    });
    for (const { field, message } of refused?.fields ?? []) {
      if (field === "device_key" || field === "iccid_last_digits")
        form.setError(field, { message });
    }
  }

  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Set Serial Number</Trans>
      </Heading>
      <div className={classes.columns}>
        <Panel>
          <form className={classes.form} onSubmit={form.handleSubmit(check)} noValidate>
            <ProblemNote
              problem={problem}
              onRetry={problem?.passing ? form.handleSubmit(check) : undefined}
            />
            {problem?.code === "unknown_device" && !guest ? (
              <>
                <Note tone="plain">
                  <Trans>Did a guest begin with it? The SIM digits let you take it over.</Trans>
                </Note>
                <Link to="/visits" search={{ device: form.getValues("device_key") }}>
                  <Trans>Does it belong to another business? Ask the owner for a visit</Trans>
                </Link>
              </>
            ) : null}
            {running ? <Unfinished found={running} /> : null}
            <TextInput
              size="lg"
              label={t`Serial number`}
              description={t`On the label of the device, for example FT-X1-00000042`}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              error={words(errors.device_key?.message) ?? errors.device_key?.message}
              {...form.register("device_key", {
                onChange: (event) =>
                  form.setValue("device_key", asSerial(event.target.value), {
                    shouldDirty: true,
                    shouldValidate: form.formState.isSubmitted,
                  }),
              })}
            />
            <TextInput
              size="lg"
              label={
                guest
                  ? t`Last 5 digits of the SIM (ICCID)`
                  : t`Last 5 digits of the SIM (ICCID), optional`
              }
              description={
                guest
                  ? t`Shows that you hold the device. They stand under the serial number.`
                  : t`They stand under the serial number.`
              }
              inputMode="numeric"
              autoComplete="off"
              error={words(errors.iccid_last_digits?.message) ?? errors.iccid_last_digits?.message}
              {...form.register("iccid_last_digits", {
                onChange: (event) =>
                  form.setValue("iccid_last_digits", asDigits(event.target.value), {
                    shouldDirty: true,
                    shouldValidate: form.formState.isSubmitted,
                  }),
              })}
            />
            <Button type="submit" size="lg" loading={isSubmitting}>
              <Trans>Continue</Trans>
            </Button>
          </form>
        </Panel>
        <aside className={classes.aside}>
          <DeviceLabel />
        </aside>
      </div>
    </div>
  );
}
