import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { tell } from "~/shared/alerts/alerts";
import { handOn } from "~/shared/ui/hand-on";
import { Panel } from "~/shared/ui/screens/panel";
import { NoteForm, useNoted } from "../note-form";
import { type GivenUpKind, giveUp, type Run } from "../queries";
import { Needed } from "./needed";

type Props = { run: Run & { kind: GivenUpKind } };

/** What an operator does about a purchase or payment that is open: it is given up in the place of its buyer. */
export function GiveUp({ run }: Props) {
  const { t } = useLingui();
  const { busy, act, ...noted } = useNoted();

  async function submit(note: string) {
    const { kind, id } = run;
    if (!(await act((key) => giveUp(kind, id, note, key), [kind, id, note]))) return;
    tell({
      type: "success",
      content: msg`It is given up, and ends by itself. What you wrote is in the audit.`,
    });
  }

  return (
    <Panel aria-label={t`Needs attention`}>
      <NoteForm
        ref={handOn}
        of={noted}
        label={t`Why it is given up`}
        onSend={submit}
        head={<Needed run={run} />}
      >
        <Button type="submit" size="md" variant="default" loading={busy}>
          {run.state === "part_failed" ? (
            <Trans>Pay back what failed</Trans>
          ) : (
            <Trans>Let go of the payment</Trans>
          )}
        </Button>
      </NoteForm>
    </Panel>
  );
}
