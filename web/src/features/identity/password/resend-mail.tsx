import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import classes from "../sign-in/sign-in-form.module.css";

/** For whoever has no valid link: the mail again, if the account still waits for it. */
export function ResendMail() {
  const { t } = useLingui();
  const sending = useSend();
  const form = useFields({ email: { rules: ["required", "email"] } });

  async function submit(texts: typeof form.texts) {
    await sending.send(async () => {
      const body = { email: texts.email.trim() };
      await answered(client.POST("/v1/user/email-resend", { body }));
    });
  }

  if (sending.done) {
    return (
      <Note tone="ok">
        <Trans>If an account waits for its password, the mail is on its way.</Trans>
      </Note>
    );
  }
  return (
    <form
      className={classes.form}
      style={{ marginTop: 24 }}
      onSubmit={form.submit(submit)}
      noValidate
    >
      <p className={classes.lead}>
        <Trans>The link is missing or no longer valid? We send you a new one.</Trans>
      </p>
      <ProblemNote problem={sending.problem} />
      <TextInput
        size="md"
        type="email"
        label={t`Email`}
        autoComplete="email"
        {...form.field("email")}
      />
      <Button type="submit" variant="default" size="lg" fullWidth loading={sending.busy}>
        <Trans>Send a new link</Trans>
      </Button>
    </form>
  );
}
