import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useSend } from "~/shared/api/send";
import { CONSTANTS } from "~/shared/constants";
import { CodeField } from "~/shared/ui/code-field";
import { ProblemNote } from "~/shared/ui/note";
import { type Challenge, confirm, deviceName } from "./sign-in";
import classes from "./sign-in-form.module.css";

type ChallengeFormProps = {
  challenge: Challenge;
  onSignedIn: () => void;
  onStartOver: () => void;
};

/** The second step of signing in: a code, and whether this browser may leave it out from now on. */
export function ChallengeForm({ challenge, onSignedIn, onStartOver }: ChallengeFormProps) {
  const { t } = useLingui();
  const sending = useSend();
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []); // the button that led here is gone
  const [remember, setRemember] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const problem = await sending.send(() =>
      confirm({
        challenge_id: challenge.challenge_id,
        code: code.replace(/\s/g, ""),
        remember_device: remember,
        device_name: deviceName(),
      }),
    );
    if (!problem) onSignedIn();
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.lead}>
        {challenge.mfa_type === "sms" ? (
          <Trans>We sent a code to {challenge.sent_to}.</Trans>
        ) : (
          <Trans>Enter the code that your authenticator app shows now.</Trans>
        )}
      </p>
      <ProblemNote problem={sending.problem} />
      <CodeField
        label={t`Verification code`}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        ref={field}
      />
      <Checkbox
        size="md"
        label={t`Trust this device`}
        description={t`No code is asked here for ${CONSTANTS.trustedDeviceDays} days. Only for a device of your own.`}
        checked={remember}
        onChange={(event) => setRemember(event.currentTarget.checked)}
      />
      <Button
        type="submit"
        size="lg"
        fullWidth
        loading={sending.busy}
        disabled={code.trim() === ""}
      >
        <Trans>Confirm</Trans>
      </Button>
      <Button variant="subtle" size="md" fullWidth onClick={onStartOver}>
        <Trans>Use another account</Trans>
      </Button>
    </form>
  );
}
