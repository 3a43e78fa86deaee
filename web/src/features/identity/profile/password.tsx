import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { credential, end } from "~/shared/session/session";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { PasswordField } from "~/shared/ui/fields/password-field";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./profile.module.css";

/** A new password, with the present one. A revoked token leads to login (shell spec 8). */
export function Password({ locked }: { locked: boolean }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const sending = useSend();
  const form = useFields({
    password: { rules: ["required"], verbatim: true },
    new_password: { rules: ["required", "password"], verbatim: true },
    confirm_new_password: { rules: ["required"], verbatim: true },
  });

  async function change(texts: typeof form.texts) {
    const problem = await sending.send(async () => {
      const body = { ...texts, access_token: credential() };
      await answered(client.POST("/api/change-password", { body }));
    });
    if (!problem) form.reset();
    else if (problem.status === 401) {
      end("elsewhere");
      await navigate({ to: "/login", search: { session: "true" } });
    } else form.refuse(problem);
  }

  return (
    <Panel aria-labelledby="password">
      <h2 id="password">
        <Trans>Password</Trans>
      </h2>
      <form className={classes.form} onSubmit={form.submit(change)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <PasswordField
          className={classes.wide}
          label={t`Present password`}
          autoComplete="current-password"
          disabled={locked}
          {...form.field("password")}
        />
        <PasswordField
          className={classes.wide}
          label={t`New password`}
          description={t`8 to 99 characters, with a small letter, a capital, a digit and a sign.`}
          autoComplete="new-password"
          disabled={locked}
          {...form.field("new_password")}
        />
        <PasswordField
          className={classes.wide}
          label={t`New password again`}
          autoComplete="new-password"
          disabled={locked}
          {...form.field("confirm_new_password")}
        />
        <DoneButton size="md" done={sending.done} loading={sending.busy} disabled={locked}>
          <Trans>Change the password</Trans>
        </DoneButton>
      </form>
    </Panel>
  );
}
