import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "../operations.module.css";
import { actOnCase, assignCase, type Case, type Deed } from "./queries";
import { DEEDS } from "./words";

/** What an administrator does about a case: takes it, writes down what was done, has it tried again, or ends it. */
export function CaseActions({ of }: { of: Case }) {
  return (
    <>
      {of.allowed.includes("ASSIGN") ? <Assign of={of} /> : null}
      <Act of={of} />
    </>
  );
}

function Assign({ of }: { of: Case }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const { busy, problem, send } = useSend();

  function assign(event: FormEvent) {
    event.preventDefault();
    const wanted = email.trim() || undefined;
    void send(
      async (key) => {
        await assignCase(of.id, wanted, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
        setEmail("");
      },
      [of.id, of.updated_at, wanted],
    );
  }

  return (
    <Panel aria-label={t`Who takes care of it`}>
      <form className={classes.settle} onSubmit={assign}>
        <h2>
          <Trans>Who takes care of it</Trans>
        </h2>
        <TextInput
          size="md"
          type="email"
          label={t`Email of an administrator`}
          description={t`Leave it empty to take it yourself. The owner is told by mail.`}
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <ProblemNote problem={problem} />
        <Button type="submit" size="md" variant="default" loading={busy}>
          {email.trim() ? <Trans>Assign it</Trans> : <Trans>Take it myself</Trans>}
        </Button>
      </form>
    </Panel>
  );
}

function Act({ of }: { of: Case }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const { busy, problem, send } = useSend();

  function act(deed: Deed) {
    void send(
      async (key) => {
        await actOnCase(of.id, deed, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
        setNote("");
      },
      [of.id, of.updated_at, deed, note],
    );
  }

  return (
    <Panel aria-label={t`What to do`}>
      <div className={classes.settle}>
        <h2>
          <Trans>What to do</Trans>
        </h2>
        <Textarea
          size="md"
          required
          rows={3}
          maxLength={500}
          label={t`What was done about it`}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ProblemNote problem={problem} />
        {DEEDS.filter(({ event }) => of.allowed.includes(event)).map(({ deed, words }) => (
          <Button
            key={deed}
            size="md"
            variant={deed === "resolve" ? "filled" : "default"}
            loading={busy}
            disabled={note.trim() === ""}
            onClick={() => act(deed)}
          >
            {i18n._(words)}
          </Button>
        ))}
      </div>
    </Panel>
  );
}
