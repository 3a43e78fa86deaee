import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Age } from "~/shared/time/age";
import { Titled } from "./more";
import { NoteForm, useNoted } from "./note-form";
import { closeEffect, type OpenEffect } from "./queries";

const HAPPENED = "happened";

/** Effects that nobody knows of whether they happened: look at the outside system, and say so. */
export function NotSettled({ effects }: { effects: readonly OpenEffect[] }) {
  const { t } = useLingui();
  return (
    <Titled
      label={t`Effects without an outcome`}
      said={t`Look at the device in the device network whether it happened. If it did not, repeat that step in the run; one that is done again, or that the device tells of, leaves this list by itself. What stays is closed by whoever looked.`}
      rows={effects}
      keyOf={({ key }) => key}
      columns={[
        { head: t`Effect`, names: true, cell: ({ effect }) => effect },
        { head: t`Run`, as: "code", cell: ({ run }) => run },
        { head: t`Asked for`, cell: ({ asked_at }) => <Age since={asked_at} /> },
        { head: t`What to do`, cell: (one) => <Close effect={one} /> },
      ]}
    />
  );
}

function Close({ effect: { key: name, effect, run } }: { effect: OpenEffect }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { busy, act, ...noted } = useNoted();

  function close(note: string, pressed: string) {
    const happened = pressed === HAPPENED;
    void act((key) => closeEffect(name, happened, note, key), [name, happened, note]);
  }

  if (!isOpen)
    return (
      <Button
        variant="default"
        aria-label={t`Close by hand: ${effect} of ${run}`}
        aria-expanded={false}
        onClick={() => setOpen(true)}
      >
        <Trans>Close by hand</Trans>
      </Button>
    );
  return (
    <NoteForm of={noted} autoFocus label={t`What you saw, and where`} onSend={close}>
      <Button type="submit" value={HAPPENED} loading={busy}>
        <Trans>It happened</Trans>
      </Button>
      <Button type="submit" variant="default" loading={busy}>
        <Trans>It did not happen</Trans>
      </Button>
    </NoteForm>
  );
}
