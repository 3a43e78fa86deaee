import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { Age } from "~/shared/time/age";
import { ProblemNote } from "~/shared/ui/note";
import { Titled } from "./more";
import classes from "./operations.module.css";
import { closeEffect, type Unsettled } from "./queries";

const HAPPENED = "happened";

/** Effects that nobody knows of whether they happened: look at the outside system, and say so. */
export function NotSettled({ effects }: { effects: readonly Unsettled[] }) {
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

function Close({ effect: { key: name, effect, run } }: { effect: Unsettled }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const form = useFields({ note: { rules: ["required"] } });
  const { busy, problem, send } = useSend();

  function close({ note }: typeof form.texts, pressed: string) {
    const happened = pressed === HAPPENED;
    void send(
      async (key) => {
        await closeEffect(name, happened, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [name, happened, note],
    );
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
    <form className={classes.settle} onSubmit={form.submit(close)} noValidate>
      <Textarea
        size="md"
        autoFocus
        rows={2}
        maxLength={500}
        label={t`What you saw, and where`}
        {...form.field("note")}
      />
      <ProblemNote problem={problem} />
      <Button type="submit" value={HAPPENED} loading={busy}>
        <Trans>It happened</Trans>
      </Button>
      <Button type="submit" variant="default" loading={busy}>
        <Trans>It did not happen</Trans>
      </Button>
    </form>
  );
}
