import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { useFields } from "~/shared/forms/fields";
import classes from "./approvals.module.css";

export type Said = { type: "APPROVE" | "REJECT"; note: string };

type AnswerProps = {
  /** Of the form: a button outside of it that names it presses it. */
  id: string;
  run: { sent: string | undefined; can: (event: "APPROVE" | "REJECT") => boolean };
  onSay: (said: Said) => void;
  /** What comes of a yes. */
  children: ReactNode;
};

/** The owner's yes or no to what waits, with a word. */
export function Answer({ id, run, onSay, children }: AnswerProps) {
  const { t } = useLingui();
  const form = useFields({ note: { rules: [] } });

  function answer({ note }: typeof form.texts, pressed: string) {
    const word = note.trim();
    if (pressed !== "REJECT") onSay({ type: "APPROVE", note: word });
    else if (word) onSay({ type: "REJECT", note: word });
    else form.fault("note", t`Please say why.`);
  }

  return (
    <form id={id} className={classes.form} onSubmit={form.submit(answer)} noValidate>
      <p>{children}</p>
      <Textarea
        size="md"
        rows={2}
        maxLength={500}
        label={t`A word with it (needed to reject)`}
        {...form.field("note")}
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
          type="submit"
          value="REJECT"
          size="lg"
          variant="default"
          loading={run.sent === "REJECT"}
          disabled={!run.can("REJECT")}
        >
          <Trans>Reject</Trans>
        </Button>
      </div>
    </form>
  );
}
