import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useEffect, useRef } from "react";
import { Age, Elapsed } from "~/shared/time/age";
import { Status, type Tone } from "~/shared/ui/notes/status";
import type { CommandRow } from "../types";
import { COMMAND_WORDS } from "../words";
import classes from "./command-rows.module.css";
import { Reading } from "./reading";

const STATES: Record<CommandRow["state"], { tone: Tone; words: MessageDescriptor }> = {
  queued: { tone: "wait", words: msg`Queued` },
  sent: { tone: "wait", words: msg({ message: "Sent", context: "command" }) },
  confirmed: { tone: "ok", words: msg({ message: "Confirmed", context: "command" }) },
  timed_out: { tone: "fail", words: msg`Timed out` },
  refused: { tone: "fail", words: msg({ message: "Refused", context: "command" }) },
  unknown: { tone: "wait", words: msg`Unknown: waiting for the device` },
  confirmed_late: { tone: "ok", words: msg({ message: "Confirmed late", context: "command" }) },
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

/**
 * What became of the last one, beneath its button; it is read out from the list. A failure that comes while somebody
 * waits for it there takes the focus, and is called by its button.
 */
export function CommandState({ row, name }: { row: CommandRow | undefined; name: string }) {
  const { i18n } = useLingui();
  const place = useRef<HTMLSpanElement>(null);
  const before = useRef(row?.state);
  const state = row?.state;
  useEffect(() => {
    const fresh = state !== undefined && before.current !== state && STATES[state].tone === "fail";
    before.current = state;
    const held = document.activeElement;
    const waits = held === document.body || place.current?.parentElement?.contains(held);
    if (fresh && waits) place.current?.focus();
  }, [state]);
  if (!row) return null;
  const { tone, words } = STATES[row.state];
  const said = i18n._(words);
  const asFailure =
    tone === "fail"
      ? { role: "group", "aria-label": `${name}: ${said}`, tabIndex: -1 }
      : { "aria-hidden": true };
  return (
    <span ref={place} className={classes.state} data-tone={tone} {...asFailure}>
      {`${MARKS[tone] ?? "·"} ${said} `}
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
