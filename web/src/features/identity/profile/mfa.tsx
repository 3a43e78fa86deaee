import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { end, type SignedInUser } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";
import { bareCode, CODE, CodeField } from "~/shared/ui/fields/code-field";
import { handOn, land } from "~/shared/ui/hand-on";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { QrCode } from "~/shared/ui/pictures/qr-code";
import { Panel } from "~/shared/ui/screens/panel";
import { FACTOR_WORDS } from "../sign-in/factor-words";
import classes from "./profile.module.css";

type MfaProps = { user: SignedInUser; locked: boolean };

/** Multi-factor authentication: off, by text message, or by an authenticator app. */
export function Mfa({ user, locked }: MfaProps) {
  return (
    <Panel aria-labelledby="mfa">
      <h2 id="mfa">
        <Trans>Multi-factor authentication</Trans>
      </h2>
      {user.mfa_type === "none" ? (
        <TurnOn user={user} locked={locked} />
      ) : (
        <TurnOff user={user} locked={locked} />
      )}
    </Panel>
  );
}

function TurnOn({ user, locked }: MfaProps) {
  const { i18n } = useLingui();
  const sending = useSend();
  const [setup, setSetup] = useState<Schemas["TotpSetup"]>();
  if (setup) return <VerifyApp setup={setup} onLeave={() => setSetup(undefined)} />;
  return (
    <div ref={handOn} className={classes.form}>
      <p>
        <Trans>A code besides the password, so that a stolen password is not enough.</Trans>{" "}
        <Trans>
          It comes by an authenticator app ({i18n._(FACTOR_WORDS.totp)}) or by text message (
          {i18n._(FACTOR_WORDS.sms)}).
        </Trans>
      </p>
      <ProblemNote problem={sending.problem} />
      <div className={classes.row}>
        <Button
          size="md"
          loading={sending.busy}
          disabled={locked}
          onClick={() =>
            void sending.send(async () => {
              setSetup(await answered(client.POST("/v1/auth/totp/setup", {})));
            })
          }
        >
          <Trans>Use an authenticator app</Trans>
        </Button>
        <Button
          size="md"
          variant="default"
          disabled={locked || sending.busy || !user.phone_number}
          onClick={() =>
            void sending.send(async () => {
              await answered(client.POST("/v1/auth/mfa/preferred", { body: { mfa_type: "sms" } }));
              await loadWork();
            })
          }
        >
          <Trans>Use text messages</Trans>
        </Button>
      </div>
      {user.phone_number ? null : (
        <p>
          <Trans>For text messages, verify your phone number first.</Trans>
        </p>
      )}
    </div>
  );
}

type VerifyAppProps = { setup: Schemas["TotpSetup"]; onLeave: () => void };

function VerifyApp({ setup, onLeave }: VerifyAppProps) {
  const { t } = useLingui();
  const sending = useSend();
  const form = useFields({ code: CODE }, { leavable: true });

  async function verify({ code }: typeof form.texts) {
    const problem = await sending.send(async () => {
      const body = { code: bareCode(code) };
      await answered(client.POST("/v1/auth/totp/verify", { body }));
      await loadWork();
    });
    if (problem) form.refuse(problem);
  }

  return (
    <form ref={handOn} className={classes.form} onSubmit={form.submit(verify)} noValidate>
      <div className={classes.setup}>
        <QrCode text={setup.address} label={t`QR code for the authenticator app`} />
        <div>
          <p ref={land}>
            <Trans>Scan this with your authenticator app, or type the secret:</Trans>
            <code>{setup.secret.match(/.{1,4}/g)?.join(" ")}</code>
          </p>
          <CodeField label={t`Code that the app shows`} {...form.field("code")} />
        </div>
      </div>
      <ProblemNote problem={sending.problem} besideFields />
      <div className={classes.row}>
        <Button type="submit" size="md" loading={sending.busy}>
          <Trans>Verify and turn on</Trans>
        </Button>
        <Button variant="default" size="md" onClick={onLeave}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}

/** Off needs a code, forgets all trusted devices and signs out. */
function TurnOff({ user, locked }: MfaProps) {
  const { t, i18n } = useLingui();
  const sending = useSend();
  const asking = useSend();
  const form = useFields({ code: CODE }, { leavable: true });
  const bySms = user.mfa_type === "sms";

  async function turnOff({ code }: typeof form.texts) {
    const body = { mfa_type: "none", code: bareCode(code) } as const;
    const problem = await sending.send(() =>
      answered(client.POST("/v1/auth/mfa/preferred", { body })),
    );
    if (problem) form.refuse(problem);
    else end("mfa-off");
  }

  async function sendCode() {
    const phone_number = user.phone_number ?? "";
    await asking.send(() =>
      answered(client.POST("/v1/auth/phone/update", { body: { phone_number } })),
    );
  }

  return (
    <form className={classes.form} onSubmit={form.submit(turnOff)} noValidate>
      <Status tone="ok">
        {bySms ? <Trans>On, by text message</Trans> : <Trans>On, by authenticator app</Trans>} (
        {i18n._(FACTOR_WORDS[bySms ? "sms" : "totp"])})
      </Status>
      <p>
        <Trans>Turning it off needs a code, forgets your trusted devices and logs you out.</Trans>
      </p>
      <ProblemNote problem={sending.problem} besideFields />
      <ProblemNote problem={asking.problem} />
      {bySms ? (
        <Button
          variant="default"
          size="md"
          loading={asking.busy}
          disabled={locked}
          onClick={sendCode}
        >
          <Trans>Send a code</Trans>
        </Button>
      ) : null}
      <CodeField label={t`Verification code`} disabled={locked} {...form.field("code")} />
      <Button type="submit" size="md" loading={sending.busy} disabled={locked}>
        <Trans>Turn off</Trans>
      </Button>
    </form>
  );
}
