import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { PasswordField } from "~/shared/ui/fields/password-field";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { ChallengeForm } from "./challenge-form";
import { type Challenge, signIn } from "./sign-in";
import classes from "./sign-in-form.module.css";
import { WayOut } from "./way-out";

type SignInFormProps = {
  username?: string;
  onSignedIn: () => void;
  /** What else one may do, unless one is being signed in. */
  below?: (busy: boolean) => ReactNode;
};

/** The sign-in fields, on the login page and over a page whose session ran out. */
export function SignInForm({ username = "", onSignedIn, below }: SignInFormProps) {
  const { t } = useLingui();
  const sending = useSend();
  const [incomplete, setIncomplete] = useState(false);
  const [challenge, setChallenge] = useState<Challenge>();
  const first = useRef<HTMLInputElement>(null);
  const form = useFields(
    {
      username: { rules: [], initial: username, verbatim: true },
      password: { rules: [], verbatim: true },
      remember_me: { rules: [] },
    },
    { leavable: true },
  );
  const remember = form.box("remember_me");
  const entered = form.texts.username.trim();

  async function send({ password }: typeof form.texts) {
    sending.forget();
    const missing = !entered || !password;
    setIncomplete(missing);
    if (missing) return;
    const credentials = { username: entered, password, remember_me: remember.checked };
    let asked: Challenge | undefined;
    const problem = await sending.send(async () => {
      asked = await signIn(credentials);
    });
    if (problem) return;
    if (asked) setChallenge(asked);
    else onSignedIn();
  }

  if (challenge) {
    return (
      <ChallengeForm
        challenge={challenge}
        username={entered}
        onSignedIn={onSignedIn}
        below={below}
        onStartOver={() => {
          flushSync(() => setChallenge(undefined));
          first.current?.focus();
        }}
      />
    );
  }
  return (
    <form className={classes.form} onSubmit={form.submit(send)} noValidate>
      {incomplete ? (
        <Note tone="fail">
          <Trans>Please complete all fields</Trans>
        </Note>
      ) : null}
      <ProblemNote problem={sending.problem} />
      <WayOut problem={sending.problem} username={entered} />
      <TextInput
        size="md"
        label={t`Email`}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("username")}
        ref={first}
      />
      <PasswordField
        label={t`Password`}
        autoComplete="current-password"
        {...form.field("password")}
      />
      <Checkbox
        size="md"
        label={t`Remember me on this device`}
        description={t`Leave this off on a shared computer: closing or reloading the page then logs you out.`}
        {...remember}
      />
      <Button type="submit" size="lg" fullWidth loading={sending.busy}>
        <Trans>Log in</Trans>
      </Button>
      <p className={classes.below}>
        <Link to="/forgot-password">
          <Trans>Forgot password?</Trans>
        </Link>
      </p>
      {below?.(sending.busy)}
    </form>
  );
}
