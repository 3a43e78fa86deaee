import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useSend } from "~/shared/api/send";
import { CONSTANTS } from "~/shared/constants";
import { useFields } from "~/shared/forms/fields";
import { bareCode, CODE, CodeField } from "~/shared/ui/fields/code-field";
import { ProblemNote } from "~/shared/ui/notes/note";
import { FACTOR_WORDS } from "./factor-words";
import { type Challenge, confirm, deviceName } from "./sign-in";
import classes from "./sign-in-form.module.css";
import { WayOut } from "./way-out";

type ChallengeFormProps = {
  challenge: Challenge;
  username: string;
  onSignedIn: () => void;
  onStartOver: () => void;
  below?: (busy: boolean) => ReactNode;
};

/** The second step of signing in: a code, and whether this browser may leave it out from now on. */
export function ChallengeForm(props: ChallengeFormProps) {
  const { challenge, username, onSignedIn, onStartOver, below } = props;
  const { t, i18n } = useLingui();
  const sending = useSend();
  const form = useFields({ code: CODE, remember: { rules: [] } }, { leavable: true });
  const remember = form.box("remember");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []); // the button that led here is gone

  async function submit({ code }: typeof form.texts) {
    const problem = await sending.send(() =>
      confirm({
        challenge_id: challenge.challenge_id,
        code: bareCode(code),
        remember_device: remember.checked,
        device_name: deviceName(),
      }),
    );
    if (problem) form.refuse(problem);
    else onSignedIn();
  }

  return (
    <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
      <p className={classes.lead}>
        {challenge.mfa_type === "sms" ? (
          <Trans>We sent a code to {challenge.sent_to}.</Trans>
        ) : (
          <Trans>Enter the code that your authenticator app shows now.</Trans>
        )}{" "}
        <small>({i18n._(FACTOR_WORDS[challenge.mfa_type])})</small>
      </p>
      <ProblemNote problem={sending.problem} besideFields />
      <WayOut problem={sending.problem} username={username} />
      <CodeField label={t`Verification code`} {...form.field("code")} ref={field} />
      <Checkbox
        size="md"
        label={t`Trust this device`}
        description={t`No code is asked here for ${CONSTANTS.trustedDeviceDays} days. Only for a device of your own.`}
        {...remember}
      />
      <Button type="submit" size="lg" fullWidth loading={sending.busy}>
        <Trans>Confirm</Trans>
      </Button>
      <Button variant="subtle" size="md" fullWidth disabled={sending.busy} onClick={onStartOver}>
        <Trans>Use another account</Trans>
      </Button>
      {below?.(sending.busy)}
    </form>
  );
}
