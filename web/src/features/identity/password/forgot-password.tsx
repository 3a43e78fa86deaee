import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { pastLimits } from "~/shared/api/bot-check/past-limits";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { bareCode, CODE, CodeField } from "~/shared/ui/fields/code-field";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Card } from "../card";
import classes from "../sign-in/sign-in-form.module.css";
import { ToLogin } from "../to-login";
import { NEW_PASSWORD, NewPasswordFields } from "./new-password";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Whose password it is: kept out of the address of the page. */
    username?: string;
  }
}

/** A forgotten password: a code by mail, then the code with a new password. */
export function ForgotPasswordScreen() {
  const [asked, setAsked] = useState<string>();
  const [changed, setChanged] = useState(false);
  if (changed) {
    return (
      <Card
        focusKey="changed"
        title={<Trans>Your password is changed</Trans>}
        lead={<Trans>You are logged out everywhere. Log in with the new password.</Trans>}
      >
        <ToLogin />
      </Card>
    );
  }
  return asked === undefined ? (
    <AskForCode onAsked={setAsked} />
  ) : (
    <TakeCode username={asked} onChanged={() => setChanged(true)} />
  );
}

function AskForCode({ onAsked }: { onAsked: (username: string) => void }) {
  const { t } = useLingui();
  const sending = useSend();
  const initial = useLocation({ select: (location) => location.state.username ?? "" });
  const form = useFields({ username: { rules: ["required", "email"], initial } });

  async function submit(texts: typeof form.texts) {
    const username = texts.username.trim();
    const problem = await sending.send(() =>
      answered(
        client.POST("/v1/auth/forgot-password", {
          body: { username },
        }),
      ),
    );
    if (!problem) onAsked(username);
  }

  return (
    <Card
      title={<Trans>Forgot Password</Trans>}
      lead={<Trans>We mail you a code with which you choose a new one.</Trans>}
    >
      <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
        <ProblemNote problem={sending.problem} />
        <TextInput
          size="md"
          type="email"
          label={t`Email`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field("username")}
        />
        <Button type="submit" size="lg" fullWidth loading={sending.busy}>
          <Trans>Send the code</Trans>
        </Button>
      </form>
    </Card>
  );
}

function TakeCode({ username, onChanged }: { username: string; onChanged: () => void }) {
  const { t } = useLingui();
  const sending = useSend();
  const again = useSend();
  const form = useFields({ code: CODE, ...NEW_PASSWORD });

  async function submit(texts: typeof form.texts) {
    const { code, password, confirm_password } = texts;
    const body = { username, code: bareCode(code), password, confirm_password };
    const problem = await sending.send(() =>
      pastLimits((headers) => answered(client.POST("/v1/auth/reset-password", { body, headers }))),
    );
    if (problem) form.refuse(problem);
    else onChanged();
  }

  return (
    <Card
      focusKey="code"
      title={<Trans>Choose a new password</Trans>}
      lead={<Trans>We mailed a code to {username}. It is valid for 10 minutes.</Trans>}
    >
      <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <ProblemNote problem={again.problem} />
        {again.done ? (
          <Note tone="ok">
            <Trans>A new code is on its way. The one before no longer works.</Trans>
          </Note>
        ) : null}
        <CodeField label={t`Verification code`} {...form.field("code")} />
        <NewPasswordFields first={form.field("password")} second={form.field("confirm_password")} />
        <Button type="submit" size="lg" fullWidth loading={sending.busy}>
          <Trans>Change the password</Trans>
        </Button>
        <Button
          variant="subtle"
          size="md"
          fullWidth
          loading={again.busy}
          onClick={() =>
            void again.send(() =>
              answered(
                client.POST("/v1/auth/forgot-password", {
                  body: { username },
                }),
              ),
            )
          }
        >
          <Trans>Send another code</Trans>
        </Button>
      </form>
    </Card>
  );
}
