import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { HoldButton } from "~/shared/ui/buttons/hold-button";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import type { Run } from "../session-hook";
import type { CommandRow } from "../types";
import { COMMAND_WORDS } from "../words";
import { ERASE, HELD } from "./acting";
import classes from "./command-bench.module.css";
import { CommandRows, CommandState } from "./command-rows";
import { FailedTest } from "./failed-test";
import { Failure } from "./failure";
import { useFelt } from "./felt";

/** The commands that the present step can send, and what became of those that were sent. */
export function CommandBench({ run, rows }: { run: Run; rows: readonly CommandRow[] }) {
  const { i18n } = useLingui();
  const online = useOnline();
  const { view } = run.answer;
  const off = !online || !run.can("ACT");
  const failed = run.failed?.type === "ACT" ? run.failed.command : undefined;
  // After a lost reply the same one is asked for under its key: what did arrive is not done twice.
  const send = (command: string) =>
    failed === command && run.again ? run.again() : run.ask({ type: "ACT", command });
  const name = (command: string) =>
    COMMAND_WORDS[command] ? i18n._(COMMAND_WORDS[command]) : command;
  const plain = view.commands.filter((command) => !HELD.has(command));
  const acting = view.commands.filter((command) => HELD.has(command) && command !== ERASE);
  const last = (command: string) => rows.findLast((row) => row.command === command);
  useFelt(rows);

  function hold(command: string) {
    return (
      <div key={command} className={classes.one}>
        <HoldButton label={name(command)} disabled={off} onConfirm={() => send(command)}>
          {name(command)}
        </HoldButton>
        {outcome(command)}
      </div>
    );
  }

  /** What became of it, beneath its button. */
  function outcome(command: string) {
    if (failed === command) return <Failure run={run} atButton />;
    return <CommandState row={last(command)} name={name(command)} />;
  }

  return (
    <>
      <div className={classes.buttons}>
        {plain.map((command) => (
          <div key={command} className={classes.one}>
            <Button
              size="md"
              variant="outline"
              className={classes.ask}
              classNames={{ label: classes.label }}
              // One that is pressed keeps the focus while it is sent.
              data-disabled={off || undefined}
              aria-disabled={off}
              onClick={() => {
                if (!off) send(command);
              }}
            >
              {name(command)}
            </Button>
            {outcome(command)}
          </div>
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
          <div className={classes.buttons}>{acting.map(hold)}</div>
        </>
      ) : null}
      {view.commands.includes(ERASE) ? <div className={classes.apart}>{hold(ERASE)}</div> : null}
      <CommandRows rows={rows} />
      <FailedTest rows={rows} vehicle={view.facts.vehicle} />
    </>
  );
}
