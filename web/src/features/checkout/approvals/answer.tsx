import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import classes from "./approvals.module.css";

type Said = { type: "APPROVE" | "REJECT"; note: string };

type AnswerProps = {
  run: { sent: string | undefined; can: (event: "APPROVE" | "REJECT") => boolean };
  onSay: (said: Said) => void;
  /** What comes of a yes. */
  children: ReactNode;
};

/** The owner's yes or no to what waits, with a word. */
export function Answer({ run, onSay, children }: AnswerProps) {
  const { t } = useLingui();
  const [note, setNote] = useState("");
  const [missing, setMissing] = useState(false);
  const word = note.trim();

  function approve(event: FormEvent) {
    event.preventDefault();
    onSay({ type: "APPROVE", note: word });
  }

  function reject() {
    setMissing(!word);
    if (word) onSay({ type: "REJECT", note: word });
  }

  return (
    <form className={classes.form} onSubmit={approve} noValidate>
      <p>{children}</p>
      <Textarea
        size="md"
        rows={2}
        maxLength={500}
        label={t`A word with it (needed to reject)`}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        error={missing && !word ? t`Please say why.` : undefined}
      />
      <div className={classes.answers}>
        <Button
          type="submit"
          size="lg"
          loading={run.sent === "APPROVE"}
          disabled={!run.can("APPROVE")}
        >
          <Trans>Approve</Trans>
        </Button>
        <Button
          size="lg"
          variant="default"
          loading={run.sent === "REJECT"}
          disabled={!run.can("REJECT")}
          onClick={reject}
        >
          <Trans>Reject</Trans>
        </Button>
      </div>
    </form>
  );
}
