import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Note, ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./operations.module.css";
import { type Run, settle } from "./queries";
import { adviceFor } from "./words";

/** What to do about a run that needs attention; and the word that it has been done, which takes it off the list. */
export function Settle({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const { busy, problem, done, send } = useSend();

  function submit(event: FormEvent) {
    event.preventDefault();
    void send(
      async (key) => {
        await settle(run, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [run.kind, run.id, note],
    );
  }

  return (
    <Panel aria-label={t`Needs attention`}>
      <form className={classes.settle} onSubmit={submit}>
        <h2>
          <Trans>Needs attention</Trans>
        </h2>
        <p>{i18n._(adviceFor(run))}</p>
        {done ? (
          <Note tone="ok">
            <Trans>It is off the list. What you wrote is in the audit.</Trans>
          </Note>
        ) : (
          <>
            <Textarea
              size="md"
              required
              autosize
              minRows={2}
              maxLength={500}
              label={t`What was done about it`}
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
            <ProblemNote problem={problem} />
            <Button type="submit" size="md" loading={busy} disabled={note.trim() === ""}>
              <Trans>Take it off the list</Trans>
            </Button>
          </>
        )}
      </form>
    </Panel>
  );
}
