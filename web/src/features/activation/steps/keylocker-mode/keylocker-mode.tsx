import { Trans, useLingui } from "@lingui/react/macro";
import { useFields } from "~/shared/forms/fields";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { useDraft } from "../../draft";
import { ChoiceCards } from "../../parts/choice-cards";
import { KeylockerPanel } from "../../parts/keylocker-panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { isAtWork, type Run } from "../../session-hook";
import type { KeylockerMode as Mode } from "../../types";
import { MODE_WORDS } from "../../words";

const MODES: readonly Mode[] = ["add-on", "standalone"];

type Sent = { mode: Mode };

/** Filled in anew with what the run keeps, whoever sent it. */
export function KeylockerMode({ run }: { run: Run }) {
  const { kept } = run.answer.view;
  const sent = kept?.step === "keylocker-mode" ? kept : undefined;
  return <ModeForm key={sent?.mode} run={run} sent={sent} />;
}

function ModeForm({ run, sent }: { run: Run; sent: Sent | undefined }) {
  const { t, i18n } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<{ mode: string }>(view.id, "keylocker-mode", sent);
  const present =
    sent?.mode ?? view.facts.keylocker_mode ?? view.facts.keylocker?.mode ?? undefined;
  const isKnown = (text: string) => (text || present ? undefined : t`Required field`);
  const form = useFields(
    { mode: { rules: [isKnown], initial: draft.held?.mode } },
    { leavable: true, onTyped: draft.keep },
  );
  const picked = form.choice<Mode | "">("mode");
  const mode = picked.value || present;

  function save() {
    if (!mode) return;
    draft.keep({ mode }); // the run keeps nothing of it while it is written
    run.ask({ type: "SUBMIT", data: { mode } });
  }

  return (
    <>
      <Panel className={classes.body}>
        <form id="mode" className={classes.form} onSubmit={form.submit(save)} noValidate>
          <ChoiceCards
            legend={t`How does the KeyLocker work here?`}
            name={picked.name}
            value={mode}
            onChange={picked.onChange}
            disabled={isAtWork(run)}
            cards={MODES.map((value) => ({
              value,
              name: i18n._(MODE_WORDS[value].name),
              what: i18n._(MODE_WORDS[value].what),
            }))}
          />
          {picked.error ? <Note tone="fail">{picked.error}</Note> : null}
        </form>
        <p>
          <Trans>The options of the next step follow from this choice.</Trans>
        </p>
        <KeylockerPanel view={view} />
      </Panel>
      <StepActions run={run} label={<Trans>Set the mode</Trans>} form="mode" />
    </>
  );
}
