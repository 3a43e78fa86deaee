import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { answered, client } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import { useFields } from "~/shared/forms/fields";
import { useSending } from "~/shared/forms/send";
import { DoneButton } from "~/shared/ui/done-button";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./dealers.module.css";
import { invitationsQuery } from "./queries";

/** Asks somebody to join, and takes back what was asked. */
export function Invitations({ dealerId }: { dealerId: string }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const found = useQuery(invitationsQuery(dealerId));
  const inviting = useSending();
  const changing = useSending();
  const form = useFields({ email: { rules: ["required", "email"] } });
  const reload = () => cache.invalidateQueries({ queryKey: invitationsQuery(dealerId).queryKey });

  async function invite(event: FormEvent) {
    event.preventDefault();
    if (!form.passes()) return;
    const problem = await inviting.send(() => ask(form.texts.email.trim()));
    if (problem) form.refuse(problem);
    else form.reset();
    await reload();
  }

  async function change(work: () => Promise<void>) {
    await changing.send(work);
    await reload();
  }

  return (
    <Panel className={classes.panel} aria-labelledby="invitations">
      <h2 id="invitations">
        <Trans>Invite an installer</Trans>
      </h2>
      <form className={classes.filters} onSubmit={invite} noValidate>
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
      {inviting.problem && inviting.problem.fields.length === 0 ? (
        <ProblemNote problem={inviting.problem} />
      ) : null}
      {changing.problem ? <ProblemNote problem={changing.problem} /> : null}
      {found.error ? <ProblemNote problem={problemOf(found.error)} /> : null}
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
                onClick={() =>
                  void change(async () => {
                    await withdraw(one.token);
                    await ask(one.email);
                  })
                }
              >
                <Trans>Send again</Trans>
              </Button>
              <Button
                variant="default"
                size="md"
                loading={changing.busy}
                aria-label={t`Withdraw the invitation of ${one.email}`}
                onClick={() => void change(() => withdraw(one.token))}
              >
                <Trans>Withdraw</Trans>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

async function ask(email: string): Promise<void> {
  await answered(
    client.POST("/v1/user/invite", {
      params: { header: { "Idempotency-Key": newKey() } },
      body: { email, user_type: "installer" },
    }),
  );
}

async function withdraw(token: string): Promise<void> {
  await answered(
    client.DELETE("/v1/user/invite/decline", {
      params: { header: { "Idempotency-Key": newKey() } },
      body: { token },
    }),
  );
}
