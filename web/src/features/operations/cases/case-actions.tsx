import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Problem } from "~/shared/api/errors";
import { useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { NoteForm, useNote } from "../note-form";
import classes from "../operations.module.css";
import type { CaseCommand, CaseRun } from "./flow";
import { deedsIn } from "./words";

type OfRun = { run: CaseRun };

/** What an administrator does about a case: takes it, writes down what was done, has it tried again, or ends it. */
export function CaseActions({ run }: OfRun) {
  return (
    <>
      {run.offered("ASSIGN") ? <Assign run={run} /> : null}
      <Act run={run} />
    </>
  );
}

function Assign({ run }: OfRun) {
  const { t } = useLingui();
  const form = useFields({ email: { rules: ["email"] } });
  const { busy, problem, passing } = useAsked(run, (type) => type === "ASSIGN", form);

  function send({ email }: typeof form.texts) {
    ask(run, { type: "ASSIGN", email: email.trim() || undefined });
  }

  return (
    <Panel aria-label={t`Who takes care of it`}>
      <form className={classes.settle} onSubmit={form.submit(send)} noValidate>
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
          {...form.field("email")}
        />
        <ProblemNote
          problem={problem}
          besideFields
          onRetry={passing ? () => send(form.texts) : undefined}
        />
        <Button
          type="submit"
          size="md"
          variant="default"
          loading={busy}
          disabled={!busy && !run.can("ASSIGN")}
        >
          {form.texts.email.trim() ? <Trans>Assign it</Trans> : <Trans>Take it myself</Trans>}
        </Button>
      </form>
    </Panel>
  );
}

function Act({ run }: OfRun) {
  const { t, i18n } = useLingui();
  const form = useNote();
  const { busy, problem, passing } = useAsked(run, (type) => type !== "ASSIGN", form);
  const last = run.failed?.type;
  const deeds = deedsIn(run.answer.state);

  function send(note: string, pressed: string | undefined) {
    const chosen = deeds.find(({ deed }) => deed === pressed);
    if (chosen) ask(run, { type: chosen.deed, note });
  }

  return (
    <Panel aria-label={t`What to do`}>
      <NoteForm
        of={{ form, problem }}
        label={t`What was done about it`}
        onSend={send}
        onRetry={passing ? () => send(form.texts.note, last) : undefined}
        head={
          <h2>
            <Trans>What to do</Trans>
          </h2>
        }
      >
        {deeds
          .filter(({ deed }) => run.offered(deed))
          .map(({ deed, words, isMain }) => (
            <Button
              key={deed}
              type="submit"
              value={deed}
              size="md"
              variant={isMain ? "filled" : "default"}
              loading={busy}
              disabled={!busy && !run.can(deed)}
            >
              {i18n._(words)}
            </Button>
          ))}
      </NoteForm>
    </Panel>
  );
}

type Form = { refuse: (problem: Problem) => unknown; reset: () => void };
type Asked = NonNullable<CaseRun["sent"]>;

/** What one of the forms asked of the run: it is empty once that was done, and shows the faults of what was refused. */
function useAsked(run: CaseRun, isOurs: (type: Asked) => boolean, form: Form) {
  const { sent, problem, failed } = run;
  const busy = sent !== undefined && isOurs(sent);
  const before = useRef(busy);
  useEffect(() => {
    const isAnswered = before.current && !busy;
    before.current = busy;
    if (!isAnswered) return;
    if (problem) form.refuse(problem);
    else form.reset();
  });
  const ours = failed && isOurs(failed.type) ? problem : undefined;
  return { busy, problem: ours, passing: ours?.passing };
}

/** The same words once more are the same command; others are another one. */
function ask(run: CaseRun, command: CaseCommand) {
  if (run.again && JSON.stringify(run.failed) === JSON.stringify(command)) run.again();
  else run.ask(command);
}
