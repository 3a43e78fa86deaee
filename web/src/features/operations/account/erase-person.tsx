import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { problemOf } from "~/shared/api/errors";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { download } from "~/shared/files/download";
import { useFields } from "~/shared/forms/fields";
import { DangerButton } from "~/shared/ui/buttons/danger-button";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import classes from "../operations.module.css";
import { erasePerson, knownOf, openRunsQuery, type Person } from "./account";

/** Hands out what is known of a person, and has them forgotten: for good, so the address is typed again. */
export function ErasePerson({ person }: { person: Person }) {
  const [asking, setAsking] = useState(false);
  const known = useSend();

  async function save() {
    await known.send(async () => download("known.json", await knownOf(person), "application/json"));
  }

  return (
    <>
      <Button size="md" variant="default" loading={known.busy} onClick={() => void save()}>
        <Trans>Download what is known of them</Trans>
      </Button>
      <ProblemNote problem={known.problem} />
      <Button size="md" variant="default" onClick={() => setAsking(true)}>
        <Trans>Erase this person</Trans>
      </Button>
      {asking ? <Erasing person={person} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function Erasing({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const runs = useQuery(openRunsQuery(person));
  const form = useFields({
    email: { rules: ["required"], verbatim: true },
    reason: { rules: ["required"] },
    heir: { rules: [], verbatim: true },
  });
  const { busy, problem, send } = useSend();
  const open = runs.data?.results ?? [];
  const isLastOwner = problem?.code === "last_owner";

  async function erase(texts: typeof form.texts) {
    const refused = await send(
      async (key) => {
        const { email, reason, heir } = texts;
        await erasePerson(person, { email, reason, next_owner: heir || undefined }, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [person.id, person.email, texts.email, texts.reason, texts.heir],
    );
    if (refused) {
      form.refuse(refused);
      return;
    }
    onClose();
    tell({ type: "success", content: msg`The person is erased.` });
  }

  return (
    <Dialog onClose={onClose} busy={busy} title={t`Erase this person?`}>
      <form className={classes.settle} onSubmit={form.submit(erase)} noValidate>
        <p>
          {person.id === undefined ? (
            <Trans>
              The email becomes a token wherever it stands, for good. What was written to us from it
              goes.
            </Trans>
          ) : (
            <Trans>
              Name, email, phone number and login become a token, for good. Links, sessions, carts
              and lists go. Orders, payments and the audit keep their amounts and the token.
            </Trans>
          )}
        </p>
        {runs.error ? (
          <ProblemNote problem={problemOf(runs.error)} onRetry={() => void runs.refetch()} />
        ) : null}
        {open.length > 0 ? (
          <Note tone="wait">
            <Trans>These runs have to end, or be handed over, first:</Trans>{" "}
            {open.map(({ kind, id }) => `${kind} ${id}`).join(", ")}
          </Note>
        ) : null}
        <TextInput
          size="md"
          label={t`Email of this person, typed again`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field("email")}
        />
        <Textarea
          size="md"
          rows={2}
          maxLength={500}
          label={t`Who asked for it, and how`}
          {...form.field("reason")}
        />
        {isLastOwner || form.texts.heir ? (
          <TextInput
            size="md"
            label={t`Email of the colleague who owns the business from now on`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field("heir")}
          />
        ) : null}
        <ProblemNote problem={problem} besideFields />
        <div className={classes.ends}>
          <Button size="md" variant="default" disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <DangerButton type="submit" loading={busy} disabled={!runs.data || open.length > 0}>
            <Trans>Erase this person</Trans>
          </DangerButton>
        </div>
      </form>
    </Dialog>
  );
}
