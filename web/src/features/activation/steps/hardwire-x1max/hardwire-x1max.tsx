import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { Choice } from "~/shared/ui/choice";
import { Panel } from "~/shared/ui/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { isAtWork, type Run } from "../../session-hook";
import type { HardwiredInput, HardwiredOutput } from "../../types";
import { INPUT_WORDS, OUTPUT_WORDS } from "../../words";

type Lines = { output: HardwiredOutput; input: HardwiredInput };

const OUTPUTS: readonly HardwiredOutput[] = ["None", "Starter Kill", "Unlock", "Trunk", "Panic"];
const INPUTS: readonly HardwiredInput[] = ["None", "Low", "High", "High/Low"];

export function HardwireX1max({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<Lines>(view.id, "hardwire-x1max");
  const [lines, setLines] = useState<Lines>(
    draft.held ?? view.facts.hardwired ?? { output: "None", input: "None" },
  );

  function choose(change: Partial<Lines>) {
    const next = { ...lines, ...change };
    setLines(next);
    draft.keep(next);
  }

  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            Say what is wired to the two lines of the device itself. Choose None for a line that is
            not connected.
          </Trans>
        </p>
        <form
          id="hardwire"
          className={classes.pair}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            run.ask({ type: "SUBMIT", data: lines });
          }}
        >
          <Choice
            label={t`Output`}
            value={lines.output}
            disabled={isAtWork(run)}
            options={OUTPUTS.map((value) => ({ value, label: i18n._(OUTPUT_WORDS[value]) }))}
            onChange={(output) => choose({ output })}
          />
          <Choice
            label={t`Input`}
            value={lines.input}
            disabled={isAtWork(run)}
            options={INPUTS.map((value) => ({ value, label: i18n._(INPUT_WORDS[value]) }))}
            onChange={(input) => choose({ input })}
          />
        </form>
        {lines.output === "Starter Kill" ? (
          <p>
            <Trans>Starter Kill keeps the engine from starting while the device is armed.</Trans>
          </p>
        ) : null}
      </Panel>
      <StepActions run={run} label={<Trans>Save the lines</Trans>} form="hardwire" />
    </>
  );
}
