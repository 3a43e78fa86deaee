import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Age, Elapsed } from "~/shared/time/age";
import { Status, type Tone } from "~/shared/ui/status";
import type { CommandRow } from "../types";
import { COMMAND_WORDS } from "../words";
import classes from "./command-rows.module.css";
import { Reading } from "./reading";

const STATES: Record<CommandRow["state"], { tone: Tone; words: MessageDescriptor }> = {
  queued: { tone: "wait", words: msg`Queued` },
  sent: { tone: "wait", words: msg`Sent` },
  confirmed: { tone: "ok", words: msg`Confirmed` },
  timed_out: { tone: "fail", words: msg`Timed out` },
  refused: { tone: "fail", words: msg`Refused` },
  unknown: { tone: "wait", words: msg`Unknown: waiting for the device` },
  confirmed_late: { tone: "ok", words: msg`Confirmed late` },
};

/** Every command that was sent, the newest first, with its state and age. */
export function CommandRows({ rows }: { rows: readonly CommandRow[] }) {
  if (rows.length === 0) {
    return (
      <p className={classes.none}>
        <Trans>No command has been sent yet.</Trans>
      </p>
    );
  }
  return (
    <ul className={classes.rows} aria-live="polite">
      {rows.toReversed().map((row) => (
        <li key={row.id}>
          <CommandLine row={row} />
        </li>
      ))}
    </ul>
  );
}

const MARKS: Partial<Record<Tone, string>> = { ok: "✓", fail: "✕", wait: "…" };

/** What became of the last one, beneath its button; it is read out from the list. */
export function CommandState({ row }: { row: CommandRow | undefined }) {
  const { i18n } = useLingui();
  if (!row) return null;
  const { tone, words } = STATES[row.state];
  return (
    <span className={classes.state} data-tone={tone} aria-hidden="true">
      {`${MARKS[tone] ?? "·"} ${i18n._(words)} `}
      {row.settled_at ? null : <Elapsed since={row.requested_at} />}
    </span>
  );
}

/** One command: its name, where it stands, how long that has been so, and what the device answered. */
export function CommandLine({ row }: { row: CommandRow }) {
  const { i18n } = useLingui();
  const { tone, words } = STATES[row.state];
  const name = COMMAND_WORDS[row.command];
  const open = !row.settled_at;
  return (
    <div className={classes.line}>
      <strong>{name ? i18n._(name) : row.label}</strong>
      <Status tone={tone}>{i18n._(words)}</Status>
      <span className={classes.age} aria-hidden={open}>
        {open ? (
          <Elapsed since={row.requested_at} />
        ) : (
          <Age since={row.settled_at ?? row.requested_at} />
        )}
      </span>
      <Reading reading={row.reading ?? {}} />
    </div>
  );
}
