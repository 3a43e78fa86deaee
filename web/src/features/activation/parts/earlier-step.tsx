import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Panel } from "~/shared/ui/screens/panel";
import { CommandRows } from "../commands/command-rows";
import { Summary } from "../ended/summary";
import type { ActivationView } from "../types";
import { KeylockerPanel } from "./keylocker-panel";
import classes from "./step-body.module.css";

/** A step that is over, to look at: nothing can be pressed but the way back to the present one. */
export function EarlierStep({ view, step }: { view: ActivationView; step: string }) {
  return (
    <Panel className={classes.body}>
      <p>
        {view.skipped[step] ? (
          <Trans>This step was skipped: {view.skipped[step]}</Trans>
        ) : (
          <Trans>This step is done. You are looking at it; nothing changes here.</Trans>
        )}
      </p>
      <Found view={view} step={step} />
      <Button
        size="lg"
        renderRoot={(props) => (
          <Link
            to="/activation/device"
            search={{ id: view.id, step: view.step }}
            hash={true}
            replace
            {...props}
          />
        )}
      >
        <Trans>Continue at step {view.position}</Trans>
      </Button>
    </Panel>
  );
}

function Found({ view, step }: { view: ActivationView; step: string }) {
  if (step === "device-testing") return <CommandRows rows={view.facts.commands} />;
  if (step === "device-configuration") return <CommandRows rows={view.facts.configuration ?? []} />;
  if (step.startsWith("keylocker") || step === "reset-keylocker-pairing")
    return (
      <>
        <KeylockerPanel view={view} />
        <Summary view={view} />
      </>
    );
  return <Summary view={view} />;
}
