import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pastLimits } from "~/shared/api/bot-check/past-limits";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { ScanDigits, ScanSerial } from "~/shared/scan/scan-device";
import { activates, asksForVisit } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { useSiteCountry } from "~/shared/session/site-country";
import { fetched } from "~/shared/ui/fetched";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { asDigits, asSerial, digitsFault, serialFault, useFaultWords } from "../schema";
import { Unfinished } from "../unfinished/unfinished";
import { DeviceLabel } from "./device-label";
import { type Entered, remember } from "./entered";
import classes from "./setup.module.css";

const UnfinishedHere = fetched(() => import("../unfinished/unfinished-here"));

/** Set Serial Number: which device, and (for guests) the proof that it is in hand. */
export function SerialScreen({ deviceKey }: { deviceKey: string | undefined }) {
  const { t } = useLingui();
  const words = useFaultWords();
  const navigate = useNavigate();
  const now = useSession();
  const guest = now.state === "anonymous";
  const isCanadian = useSiteCountry() === "CA";
  const { busy, problem, send } = useSend();
  const [running, setRunning] = useState<Entered>();
  const form = useFields(
    {
      device_key: {
        rules: [(key) => words(serialFault(key))],
        initial: deviceKey,
        shape: asSerial,
      },
      iccid_last_digits: {
        rules: [(digits) => words(digitsFault(digits, guest))],
        shape: asDigits,
      },
    },
    { leavable: true },
  );

  async function check({ device_key, iccid_last_digits }: typeof form.texts) {
    setRunning(undefined);
    const entered = { device_key, iccid_last_digits: iccid_last_digits || undefined };
    const refused = await send(async () => {
      const answer = await pastLimits((headers) =>
        answered(
          client.POST("/api/iot/device-check", {
            body: { ...entered, isCanadianUser: isCanadian },
            headers,
          }),
        ),
      );
      const found = answer.results[0];
      if (!found) return;
      remember({ ...entered, found });
      if (found.activation) setRunning({ ...entered, found });
      else
        await navigate({
          to: "/activation/select-activation-type",
          search: { device: device_key },
        });
    });
    if (refused) form.refuse(refused);
  }

  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Set Serial Number</Trans>
      </Heading>
      <div className={classes.columns}>
        <Panel>
          <form className={classes.form} onSubmit={form.submit(check)} noValidate>
            <ProblemNote
              problem={problem}
              besideFields
              onRetry={problem?.passing ? () => void check(form.texts) : undefined}
            />
            {problem?.code === "unknown_device" && !guest ? (
              <>
                <Note tone="plain">
                  <Trans>Did a guest begin with it? The SIM digits let you take it over.</Trans>
                </Note>
                {asksForVisit(now) ? (
                  <Link to="/visits" search={{ device: form.texts.device_key }}>
                    <Trans>Does it belong to another business? Ask the owner for a visit</Trans>
                  </Link>
                ) : null}
              </>
            ) : null}
            {running ? <Unfinished entered={running} /> : null}
            <TextInput
              size="lg"
              label={t`Serial number`}
              description={t`On the label of the device, for example FT-X1-00000042`}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              {...form.field("device_key")}
            />
            <ScanSerial onSerial={(serial) => form.set("device_key", serial)} />
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
              {...form.field("iccid_last_digits")}
            />
            <ScanDigits onDigits={(digits) => form.set("iccid_last_digits", digits)} />
            <Button type="submit" size="lg" loading={busy}>
              <Trans>Continue</Trans>
            </Button>
          </form>
        </Panel>
        <aside className={classes.aside}>
          <DeviceLabel />
        </aside>
      </div>
      {activates(now) ? <UnfinishedHere /> : null}
    </div>
  );
}
