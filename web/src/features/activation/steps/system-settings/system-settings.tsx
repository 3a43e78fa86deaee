import { Trans } from "@lingui/react/macro";
import { Panel } from "~/shared/ui/screens/panel";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";
import { ToggleRow } from "./toggle-row";

/** What the device can do beside its main work: each switch is saved alone, at once. */
export function SystemSettings({ run }: { run: Run }) {
  const { facts, toggles = [] } = run.answer.view;
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>Each setting is written to the device as soon as you choose it.</Trans>
        </p>
        {toggles.length === 0 ? (
          <p>
            <Trans>This device has no settings that can be changed here.</Trans>
          </p>
        ) : (
          <div>
            {toggles.map((name) => (
              <ToggleRow
                key={name}
                run={run}
                name={name}
                enabled={facts.features?.[name]}
                saving={facts.saving_feature === name}
              />
            ))}
          </div>
        )}
      </Panel>
      <StepActions
        run={run}
        label={<Trans>The settings are right</Trans>}
        onSubmit={() => run.ask({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
