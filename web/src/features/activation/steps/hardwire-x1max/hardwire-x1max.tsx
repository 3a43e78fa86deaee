import { Trans, useLingui } from "@lingui/react/macro";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { Panel } from "~/shared/ui/screens/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { isAtWork, type Run } from "../../session-hook";
import type { HardwiredInput, HardwiredOutput } from "../../types";
import { INPUT_WORDS, OUTPUT_WORDS } from "../../words";

const OUTPUTS: readonly HardwiredOutput[] = ["None", "Starter Kill", "Unlock", "Trunk", "Panic"];
const INPUTS: readonly HardwiredInput[] = ["None", "Low", "High", "High/Low"];

type Lines = { output: HardwiredOutput; input: HardwiredInput };

/** Filled in anew with what the run keeps, whoever sent it. */
export function HardwireX1max({ run }: { run: Run }) {
  const { kept } = run.answer.view;
  const sent = kept?.step === "hardwire-x1max" ? kept : undefined;
  return <HardwiredLines key={JSON.stringify(sent)} run={run} sent={sent} />;
}

function HardwiredLines({ run, sent }: { run: Run; sent: Lines | undefined }) {
  const { t, i18n } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<{ output: string; input: string }>(view.id, "hardwire-x1max", sent);
  const lines = draft.held ?? sent ?? view.facts.hardwired ?? { output: "None", input: "None" };
  const form = useFields(
    {
      output: { rules: [], initial: lines.output },
      input: { rules: [], initial: lines.input },
    },
    { leavable: true, onTyped: draft.keep },
  );
  const output = form.choice<HardwiredOutput>("output");
  const input = form.choice<HardwiredInput>("input");

  function save() {
    const data = { output: output.value, input: input.value };
    draft.keep(data); // the run keeps nothing of it while it is written
    run.ask({ type: "SUBMIT", data });
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
        <form id="hardwire" className={classes.pair} noValidate onSubmit={form.submit(save)}>
          <Choice
            label={t`Output`}
            disabled={isAtWork(run)}
            options={OUTPUTS.map((value) => ({ value, label: i18n._(OUTPUT_WORDS[value]) }))}
            {...output}
          />
          <Choice
            label={t`Input`}
            disabled={isAtWork(run)}
            options={INPUTS.map((value) => ({ value, label: i18n._(INPUT_WORDS[value]) }))}
            {...input}
          />
        </form>
        {output.value === "Starter Kill" ? (
          <p>
            <Trans>Starter Kill keeps the engine from starting while the device is armed.</Trans>
          </p>
        ) : null}
      </Panel>
      <StepActions run={run} label={<Trans>Save the lines</Trans>} form="hardwire" />
    </>
  );
}
