import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { Confirm } from "~/shared/ui/dialogs/confirm";
import { handOn } from "~/shared/ui/hand-on";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { invitationsQuery } from "../queries";

type Invitation = Schemas["PendingInvitation"];

/** Asks somebody to join, and takes back what was asked. */
export function Invitations({ dealerId }: { dealerId: string }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const found = useQuery(invitationsQuery(dealerId));
  const inviting = useSend();
  const changing = useSend();
  const [leaving, setLeaving] = useState<Invitation>();
  const form = useFields({ email: { rules: ["required", "email"] } });
  const reload = () => cache.invalidateQueries({ queryKey: invitationsQuery(dealerId).queryKey });

  async function invite({ email }: typeof form.texts) {
    const problem = await inviting.send((key) => ask(email.trim(), key), email);
    if (problem) form.refuse(problem);
    else form.reset();
    await reload();
  }

  async function change(work: (key: string) => Promise<void>) {
    await changing.send(work);
    setLeaving(undefined);
    await reload();
  }

  return (
    <Panel className={classes.panel} aria-labelledby="invitations">
      <h2 id="invitations">
        <Trans>Invite an installer</Trans>
      </h2>
      <form className={classes.filters} onSubmit={form.submit(invite)} noValidate>
        <TextInput
          size="md"
          type="email"
          label={t`Email`}
          autoComplete="off"
          {...form.field("email")}
        />
        <DoneButton size="md" done={inviting.done} loading={inviting.busy}>
          <Trans>Invite</Trans>
        </DoneButton>
      </form>
      <ProblemNote problem={inviting.problem} besideFields />
      <ProblemNote problem={changing.problem} />
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      <ul className={classes.list} aria-label={t`Pending invitations`}>
        {(found.data?.results ?? []).map((one) => (
          <li key={one.token}>
            <span>
              <strong>{one.email}</strong> ·{" "}
              <Trans>until {i18n.date(one.expires_at, { dateStyle: "medium" })}</Trans>
            </span>
            <span className={classes.actions}>
              <Button
                variant="default"
                size="md"
                loading={changing.busy}
                aria-label={t`Send again to ${one.email}`}
                onClick={() => void change((key) => sendAgain(one.token, key))}
              >
                <Trans>Send again</Trans>
              </Button>
              <Button
                ref={handOn}
                variant="default"
                size="md"
                aria-label={t`Withdraw the invitation of ${one.email}`}
                onClick={() => setLeaving(one)}
              >
                <Trans>Withdraw</Trans>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {leaving ? (
        <Confirm
          title={t`Withdraw the invitation of ${leaving.email}?`}
          confirm={t`Withdraw`}
          busy={changing.busy}
          onConfirm={() => void change((key) => withdraw(leaving.token, key))}
          onClose={() => setLeaving(undefined)}
        >
          <Trans>The link that was sent to {leaving.email} leads nowhere then.</Trans>
        </Confirm>
      ) : null}
    </Panel>
  );
}

async function ask(email: string, key: string): Promise<void> {
  await answered(
    client.POST("/v1/user/invite", {
      params: { header: { "Idempotency-Key": key } },
      body: { email, user_type: "installer" },
    }),
  );
}

async function sendAgain(token: string, key: string): Promise<void> {
  await answered(
    client.POST("/v1/user/invite/again", {
      params: { header: { "Idempotency-Key": key } },
      body: { token },
    }),
  );
}

async function withdraw(token: string, key: string): Promise<void> {
  await answered(
    client.DELETE("/v1/user/invite/decline", {
      params: { header: { "Idempotency-Key": key } },
      body: { token },
    }),
  );
}
