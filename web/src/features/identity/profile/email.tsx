import { Trans, useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import type { SignedInUser } from "~/shared/session/session";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { PasswordField } from "~/shared/ui/fields/password-field";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./profile.module.css";

/** Another e-mail address: it counts once the link that only it gets was used. */
export function EmailAddress({ user, locked }: { user: SignedInUser; locked: boolean }) {
  const { t } = useLingui();
  const sending = useSend();
  const form = useFields({
    email: { rules: ["required", "email"] },
    password: { rules: ["required"], verbatim: true },
  });

  async function ask(texts: typeof form.texts) {
    const { email, password } = texts;
    const problem = await sending.send(async () => {
      const body = { email: email.trim(), password };
      await answered(client.POST("/v1/auth/email-change", { body }));
    });
    if (problem) form.refuse(problem);
    else form.reset();
  }

  return (
    <Panel aria-labelledby="email">
      <h2 id="email">
        <Trans>Email</Trans>
      </h2>
      <p>
        <Trans>You log in with {user.email}.</Trans>
      </p>
      <form className={classes.form} onSubmit={form.submit(ask)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        {sending.done && !form.dirty ? (
          <Note tone="ok">
            <Trans>We mailed a link to the new address. Until it is used nothing changes.</Trans>
          </Note>
        ) : null}
        <TextInput
          className={classes.wide}
          size="md"
          type="email"
          label={t`New email`}
          autoComplete="email"
          disabled={locked}
          {...form.field("email")}
        />
        <PasswordField
          className={classes.wide}
          label={t`Password, to be sure that it is you`}
          autoComplete="current-password"
          disabled={locked}
          {...form.field("password")}
        />
        <DoneButton size="md" done={sending.done} loading={sending.busy} disabled={locked}>
          <Trans>Change the email</Trans>
        </DoneButton>
      </form>
    </Panel>
  );
}
