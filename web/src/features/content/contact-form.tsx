import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { answered, client, type Schemas } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { pageBefore } from "~/shared/navigation/back";
import { type SignedInUser, useSession } from "~/shared/session/session";
import { Choice } from "~/shared/ui/fields/choice";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { cameFrom } from "./came-from";
import classes from "./contact-form.module.css";

type ContactRole = Schemas["ContactUs"]["role"];

const ROLES = {
  Owner: msg`Owner`,
  "Sales Rep": msg`Sales Rep`,
  Installer: msg`Installer`,
  Purchaser: msg`Purchaser`,
  Other: msg`Other`,
} satisfies Record<ContactRole, unknown>;

/** A word to us, from anybody. What is known of a signed-in person is filled in. */
export function ContactForm() {
  const { t, i18n } = useLingui();
  const now = useSession();
  const sending = useSend();
  const user = now.state === "anonymous" ? undefined : now.user;
  const before = pageBefore(useRouter().state.location);
  const form = useFields({
    name: {
      rules: ["required", "name"],
      initial: user ? `${user.first_name} ${user.last_name}` : "",
    },
    email: { rules: ["required", "email"], initial: user?.email ?? "" },
    page: { rules: [], initial: user ? cameFrom(before) : "" },
    message: { rules: ["required"] },
    role: { rules: [], initial: roleOf(user) },
    wantsCopy: { rules: [] },
  });
  const role = form.choice<ContactRole>("role");
  const copy = form.box("wantsCopy");

  async function submit({ wantsCopy: _, ...texts }: typeof form.texts) {
    const problem = await sending.send(async () => {
      const body = { ...texts, role: role.value, wants_copy: copy.checked };
      await answered(client.POST("/v1/contact-us", { body }));
    });
    if (problem) form.refuse(problem);
    else form.reset();
  }

  return (
    <Panel aria-labelledby="write" className={classes.panel}>
      <h2 id="write">
        <Trans>Write to us</Trans>
      </h2>
      {sending.done ? (
        <Note tone="ok">
          <Trans>Thank you. We answer by mail.</Trans>
        </Note>
      ) : null}
      <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <TextInput size="md" label={t`Name`} autoComplete="name" {...form.field("name")} />
        <TextInput
          size="md"
          type="email"
          label={t`Email`}
          autoComplete="email"
          {...form.field("email")}
        />
        <Choice<ContactRole>
          label={t`You are`}
          {...role}
          options={(Object.keys(ROLES) as ContactRole[]).map((value) => ({
            value,
            label: i18n._(ROLES[value]),
          }))}
        />
        <Textarea
          size="md"
          label={t`Message`}
          rows={5}
          maxLength={4000}
          {...form.field("message")}
        />
        {user ? (
          <TextInput
            size="md"
            label={t`About the page`}
            description={t`It names the activation, the order or the device that you write about.`}
            {...form.field("page")}
          />
        ) : null}
        <Checkbox size="md" label={t`Send me a copy`} {...copy} />
        <Button type="submit" size="md" loading={sending.busy}>
          <Trans>Send</Trans>
        </Button>
      </form>
    </Panel>
  );
}

function roleOf(user: SignedInUser | undefined): ContactRole {
  if (user?.is_sales_rep) return "Sales Rep";
  if (user?.is_owner) return "Owner";
  return user?.purchasing_rights ? "Purchaser" : "Installer";
}
