import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { Note } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { ChoiceCards } from "../../parts/choice-cards";
import { KeylockerPanel } from "../../parts/keylocker-panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { isAtWork, type Run } from "../../session-hook";
import type { KeylockerMode as Mode } from "../../types";
import { MODE_WORDS } from "../../words";

const MODES: readonly Mode[] = ["add-on", "standalone"];

export function KeylockerMode({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const { view } = run.answer;
  const present = view.facts.keylocker_mode ?? view.facts.keylocker?.mode ?? undefined;
  const [picked, setPicked] = useState<Mode>();
  const [asked, setAsked] = useState(false);
  const mode = picked ?? present;

  function save() {
    setAsked(true);
    if (mode) run.ask({ type: "SUBMIT", data: { mode } });
  }

  return (
    <>
      <Panel className={classes.body}>
        <ChoiceCards
          legend={t`How does the KeyLocker work here?`}
          value={mode}
          onChange={setPicked}
          disabled={isAtWork(run)}
          cards={MODES.map((value) => ({
            value,
            name: i18n._(MODE_WORDS[value].name),
            what: i18n._(MODE_WORDS[value].what),
          }))}
        />
        {asked && !mode ? (
          <Note tone="fail">
            <Trans>Required field</Trans>
          </Note>
        ) : null}
        <p>
          <Trans>The options of the next step follow from this choice.</Trans>
        </p>
        <KeylockerPanel view={view} />
      </Panel>
      <StepActions run={run} label={<Trans>Set the mode</Trans>} onSubmit={save} />
    </>
  );
}
