import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { HoldButton } from "~/shared/ui/hold-button";
import { useOnline } from "~/shared/ui/offline-bar";
import { Panel } from "~/shared/ui/panel";
import { CommandRows } from "../parts/command-rows";
import { StepActions } from "../parts/step-actions";
import type { Run } from "../session-hook";
import { COMMAND_WORDS } from "../words";
import classes from "./device-testing.module.css";

/** Commands that only ask; all others move or wake a car and are held down (rulings). */
const ASKING = new Set(["location", "device_report"]);

export function DeviceTesting({ run }: { run: Run }) {
  const { i18n } = useLingui();
  const online = useOnline();
  const { view, allowed } = run.answer;
  const off = !online || run.sending !== undefined || !allowed.includes("ACT");
  const send = (command: string) => run.act({ type: "ACT", command });
  const name = (command: string) =>
    COMMAND_WORDS[command] ? i18n._(COMMAND_WORDS[command]) : command;
  const acting = view.commands.filter((command) => !ASKING.has(command));
  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            Try what the vehicle should do. One command at a time; nothing is repeated by itself.
          </Trans>
        </p>
        <div className={classes.buttons}>
          {view.commands
            .filter((command) => ASKING.has(command))
            .map((command) => (
              <Button
                key={command}
                size="md"
                variant="outline"
                className={classes.ask}
                disabled={off}
                onClick={() => send(command)}
              >
                {name(command)}
              </Button>
            ))}
        </div>
        {acting.length > 0 ? (
          <>
            <p className={classes.warning}>
              <Trans>
                These move or wake the vehicle. Make sure nobody stands in its way, then hold the
                button down.
              </Trans>
            </p>
            <div className={classes.buttons}>
              {acting.map((command) => (
                <HoldButton
                  key={command}
                  label={name(command)}
                  disabled={off}
                  onConfirm={() => send(command)}
                >
                  {name(command)}
                </HoldButton>
              ))}
            </div>
          </>
        ) : null}
        <CommandRows rows={view.facts.commands} />
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Testing is done</Trans>}
        onSubmit={() => run.act({ type: "SUBMIT", data: {} })}
      />
    </>
  );
}
