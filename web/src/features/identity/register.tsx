import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { NameFields } from "~/shared/forms/name-fields";
import { isPartnerAddress } from "~/shared/forms/validation";
import { useSite } from "~/shared/session/site";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Card } from "./card";
import classes from "./sign-in/sign-in-form.module.css";

/** A new account: the rest goes by mail, and the answer is the same for an address that has one. */
export function RegisterScreen() {
  const { t } = useLingui();
  const site = useSite();
  const sending = useSend();
  const form = useFields({
    first_name: { rules: ["required", "name"] },
    last_name: { rules: ["required", "name"] },
    email: { rules: ["required", "email"] },
  });
  const ofPartner = isPartnerAddress(form.texts.email, site?.partner_email_domains ?? []);

  async function submit(texts: typeof form.texts) {
    const { first_name, last_name, email } = texts;
    const body = { first_name, last_name, email: email.trim() };
    const problem = await sending.send(() => answered(client.POST("/v1/auth/register", { body })));
    if (problem) form.refuse(problem);
    else form.reset();
  }

  if (sending.done) {
    return (
      <Card
        focusKey="sent"
        title={<Trans>Look into your mail</Trans>}
        lead={<Trans>We sent you a link with which you choose your password.</Trans>}
      />
    );
  }
  return (
    <Card
      title={<Trans>Register</Trans>}
      lead={<Trans>An account for installers. Your dealer can also invite you.</Trans>}
      below={
        <Trans>
          You have one? <Link to="/login">Log in</Link>
        </Trans>
      }
    >
      <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <NameFields form={form} />
        <TextInput
          size="md"
          type="email"
          label={t`Email`}
          autoComplete="email"
          {...form.field("email")}
        />
        {ofPartner ? (
          <Note tone="wait">
            <Trans>This is the address of a partner. Ask your partner to invite you instead.</Trans>
          </Note>
        ) : null}
        <Button type="submit" size="lg" fullWidth loading={sending.busy}>
          <Trans>Register</Trans>
        </Button>
      </form>
    </Card>
  );
}
