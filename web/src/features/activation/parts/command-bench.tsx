import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { HoldButton } from "~/shared/ui/hold-button";
import { useOnline } from "~/shared/ui/offline-bar";
import type { Run } from "../session-hook";
import type { CommandRow } from "../types";
import { COMMAND_WORDS } from "../words";
import classes from "./command-bench.module.css";
import { CommandRows } from "./command-rows";
import { FailedTest } from "./failed-test";

/** Commands that move or wake a car and are held down (rulings). */
const ACTING = new Set([
  "arm",
  "disarm",
  "panic_on",
  "panic_off",
  "remote_start",
  "remote_stop",
  "trunk",
  "remote_aux1",
  "remote_aux2",
  "erase_device",
]);

/** The commands that the present step can send, and what became of those that were sent. */
export function CommandBench({ run, rows }: { run: Run; rows: readonly CommandRow[] }) {
  const { i18n } = useLingui();
  const online = useOnline();
  const { view } = run.answer;
  const off = !online || !run.can("ACT");
  const send = (command: string) => run.ask({ type: "ACT", command });
  const name = (command: string) =>
    COMMAND_WORDS[command] ? i18n._(COMMAND_WORDS[command]) : command;
  const plain = view.commands.filter((command) => !ACTING.has(command));
  const acting = view.commands.filter((command) => ACTING.has(command));
  return (
    <>
      <div className={classes.buttons}>
        {plain.map((command) => (
          <Button
            key={command}
            size="md"
            variant="outline"
            className={classes.ask}
            classNames={{ label: classes.label }}
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
      <CommandRows rows={rows} />
      <FailedTest rows={rows} vehicle={view.facts.vehicle} />
    </>
  );
}
