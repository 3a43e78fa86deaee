import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { NoteForm, useNoted } from "../note-form";
import classes from "../operations.module.css";

type AskedProps = {
  /** What the button says, and to whom it is one of many. */
  words: string;
  name: string;
  title: string;
  /** What comes of it. */
  said: ReactNode;
  /** What the note says. */
  label: string;
  /** What the button says that sends it. */
  confirm: string;
  work: (note: string, key: string) => Promise<unknown>;
  /** With the same note it is done once. */
  intent: readonly unknown[];
  /** Said once it was done. */
  told?: ReactNode;
};

/** Something that is done about a payout, after a question and with a word of why or how. */
export function Asked(props: AskedProps) {
  const { words, name, title, said, label, confirm, work, intent, told } = props;
  const [asking, setAsking] = useState(false);
  const { busy, done, forget, act, ...noted } = useNoted("/v1/payouts");

  function close() {
    setAsking(false);
    forget();
    noted.form.reset();
  }

  async function send(note: string) {
    if (await act((key) => work(note, key), [...intent, note])) setAsking(false);
  }

  return (
    <div className={classes.settle}>
      <Button variant="default" aria-label={name} onClick={() => setAsking(true)}>
        {words}
      </Button>
      {told ? <span role="status">{done > 0 ? told : null}</span> : null}
      {asking ? (
        <Dialog onClose={close} busy={busy} title={title}>
          <NoteForm of={noted} autoFocus label={label} onSend={send} head={<p>{said}</p>}>
            <div className={classes.ends}>
              <Button size="md" variant="default" disabled={busy} onClick={close}>
                <Trans>Cancel</Trans>
              </Button>
              <Button type="submit" size="md" loading={busy}>
                {confirm}
              </Button>
            </div>
          </NoteForm>
        </Dialog>
      ) : null}
    </div>
  );
}
