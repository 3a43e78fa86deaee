import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Card } from "../card";
import classes from "../sign-in/sign-in-form.module.css";
import { ToLogin } from "../to-login";
import { NEW_PASSWORD, NewPasswordFields } from "./new-password";
import { ResendMail } from "./resend-mail";

/** The first password of a new account. Opening the link does nothing; the button uses it up. */
export function SetPasswordScreen({ token }: { token: string | undefined }) {
  const sending = useSend();
  const form = useFields(NEW_PASSWORD);
  const [set, setSet] = useState(false);

  async function submit(texts: typeof form.texts) {
    const problem = await sending.send(() =>
      answered(client.POST("/v1/user/set-password", { body: { token: token ?? "", ...texts } })),
    );
    if (problem) form.refuse(problem);
    else setSet(true);
  }

  if (set) {
    return (
      <Card
        focusKey="set"
        title={<Trans>Your account is ready</Trans>}
        lead={<Trans>Log in with your email and the password you just chose.</Trans>}
      >
        <ToLogin />
      </Card>
    );
  }
  const spent = sending.problem && sending.problem.fields.length === 0;
  return (
    <Card
      title={<Trans>Set Password</Trans>}
      lead={<Trans>Choose the password of your new account.</Trans>}
    >
      {token ? (
        <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
          {spent && sending.problem ? <ProblemNote problem={sending.problem} /> : null}
          <NewPasswordFields
            first={form.field("password")}
            second={form.field("confirm_password")}
          />
          <Button type="submit" size="lg" fullWidth loading={sending.busy}>
            <Trans>Set the password</Trans>
          </Button>
        </form>
      ) : null}
      {!token || spent ? <ResendMail /> : null}
    </Card>
  );
}
