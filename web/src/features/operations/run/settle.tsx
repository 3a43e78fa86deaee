import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { handOn } from "~/shared/ui/hand-on";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { NoteForm, useNoted } from "../note-form";
import classes from "../operations.module.css";
import { type Run, settle } from "../queries";
import { Needed } from "./needed";

/** What to do about a run that needs attention; and the word that it has been done, which takes it off the list. */
export function Settle({ run }: { run: Run }) {
  const { t } = useLingui();
  const noted = useNoted();

  return (
    <Panel aria-label={t`Needs attention`}>
      {noted.done ? (
        <div className={classes.settle}>
          <Needed run={run} />
          <Note tone="ok">
            <Trans>It is off the list. What you wrote is in the audit.</Trans>
          </Note>
        </div>
      ) : (
        <NoteForm
          ref={handOn}
          of={noted}
          head={<Needed run={run} />}
          label={t`What was done about it`}
          onSend={(note) => noted.act((key) => settle(run, note, key), [run.kind, run.id, note])}
        >
          <Button type="submit" size="md" loading={noted.busy}>
            <Trans>Take it off the list</Trans>
          </Button>
        </NoteForm>
      )}
    </Panel>
  );
}
