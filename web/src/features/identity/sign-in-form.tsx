import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { type Problem, problemOf } from "~/shared/api/errors";
import { Note, ProblemNote } from "~/shared/ui/note";
import { type Credentials, signIn } from "./sign-in";
import classes from "./sign-in-form.module.css";

type SignInFormProps = { username?: string; onSignedIn: () => void };

/** The sign-in fields, on the login page and over a page whose session ran out. */
export function SignInForm({ username = "", onSignedIn }: SignInFormProps) {
  const { t } = useLingui();
  const [problem, setProblem] = useState<Problem>();
  const [incomplete, setIncomplete] = useState(false);
  const { register, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { username, password: "", remember_me: false },
  });

  async function send(entered: Credentials) {
    setProblem(undefined);
    const missing = !entered.username.trim() || !entered.password;
    setIncomplete(missing);
    if (missing) return;
    try {
      await signIn({ ...entered, username: entered.username.trim() });
      onSignedIn();
    } catch (cause) {
      setProblem(problemOf(cause));
    }
  }

  return (
    <form className={classes.form} onSubmit={handleSubmit(send)} noValidate>
      {incomplete ? (
        <Note tone="fail">
          <Trans>Please complete all fields</Trans>
        </Note>
      ) : null}
      {problem ? <ProblemNote problem={problem} /> : null}
      <TextInput
        size="md"
        label={t`Email`}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...register("username")}
      />
      <PasswordInput
        size="md"
        label={t`Password`}
        autoComplete="current-password"
        visibilityToggleButtonProps={{
          "aria-label": t`Show the password`,
          "aria-hidden": false,
          tabIndex: 0,
        }}
        {...register("password")}
      />
      <Checkbox
        size="md"
        label={t`Remember me on this device`}
        description={t`Leave this off on a shared computer: closing or reloading the page then signs you out.`}
        {...register("remember_me")}
      />
      <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
        <Trans>Log in</Trans>
      </Button>
    </form>
  );
}
