import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Panel } from "~/shared/ui/panel";
import type { ActivationView } from "../types";
import { CommandRows } from "./command-rows";
import classes from "./step-body.module.css";
import { Summary } from "./summary";

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
      {step === "device-testing" ? (
        <CommandRows rows={view.facts.commands} />
      ) : (
        <Summary view={view} />
      )}
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
