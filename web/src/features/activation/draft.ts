import { useEffect, useState } from "react";
import { holdsCardNumber, mayBeCardNumber } from "~/shared/forms/card-numbers";
import { session } from "~/shared/session/session";

/**
 * A run never changes its version, so that its id also says which chart the drafts belong to. `upon` marks what the run
 * kept of a step's form while its draft was typed.
 */
type Kept = {
  id: string;
  drafts: Record<string, Record<string, string>>;
  upon?: Record<string, string | undefined>;
};

type Draft<F> = { fields: F; upon: string | undefined };

/**
 * One entry per user: the last run and the unsaved entries of its steps. Never a pin, never what may be the number of a
 * card, never the flow's state.
 */
function key(): string {
  const present = session();
  return present.state === "anonymous" ? "activation_state" : `activation_state:${present.user.id}`;
}

function read(id: string): Kept {
  const empty: Kept = { id, drafts: {} };
  try {
    const kept = JSON.parse(localStorage.getItem(key()) ?? "null") as Kept | null;
    return kept?.id === id ? kept : empty;
  } catch {
    return empty;
  }
}

function draftOf<F>(id: string, step: string): Draft<F> | undefined {
  const { drafts, upon } = read(id);
  const fields = drafts[step] as F | undefined;
  return fields && { fields, upon: upon?.[step] };
}

/** The same mark for the same form, in whatever order the server tells it. */
function markOf(sent: object | undefined): string | undefined {
  return sent && JSON.stringify(Object.entries(sent).sort());
}

/**
 * What was typed in a step and not written: it survives a reload and a phone that locks. What was typed before the form
 * that the run keeps was `sent`, by whomever, is forgotten for it: nobody writes an older value than the one that waited
 * (decision 74). While a form is written the run keeps none, and `held` stays.
 */
export function useDraft<F extends Record<string, string>>(
  id: string,
  step: string,
  sent?: object,
) {
  const mark = markOf(sent);
  const [own, setOwn] = useState(() => draftOf<F>(id, step));
  const isOlder = own !== undefined && mark !== undefined && own.upon !== mark;
  if (isOlder) setOwn(undefined);
  useEffect(() => {
    if (mark !== undefined && draftOf(id, step)?.upon !== mark) dropDraft(id, step);
  }, [id, step, mark]);

  function keep(fields: F): void {
    setOwn({ fields, upon: mark });
    const { drafts, upon } = read(id);
    const kept: Kept = {
      id,
      drafts: { ...drafts, [step]: stored(fields) },
      upon: { ...upon, [step]: mark },
    };
    try {
      localStorage.setItem(key(), JSON.stringify(kept));
    } catch {
      // A store that is full keeps no draft, and nobody from sending the form.
    }
  }
  return { held: isOlder ? undefined : own?.fields, mark, keep };
}

/** What was typed before a form was sent is no draft of it. */
function dropDraft(id: string, step: string): void {
  keepDrafts(id, (other) => other !== step);
}

/** Only the step where the run stands needs its draft: the others were left behind, also while no page saw it. */
export function keepOnlyDraftOf(id: string, step: string): void {
  keepDrafts(id, (other) => other === step);
}

function keepDrafts(id: string, isKept: (step: string) => boolean): void {
  const { drafts, upon } = read(id);
  if (Object.keys(drafts).every(isKept)) return;
  const kept: Kept = { id, drafts: pick(drafts, isKept), upon: pick(upon ?? {}, isKept) };
  localStorage.setItem(key(), JSON.stringify(kept));
}

function stored(fields: Record<string, string>): Record<string, string> {
  const texts = Object.entries(fields).map(([name, text]) => [
    name,
    mayBeStored(name, text) ? text : "",
  ]);
  return Object.fromEntries(texts);
}

/** Of a serial number a letter says that it is no card's. */
function mayBeStored(name: string, text: string): boolean {
  return name === "new_device_key" ? !mayBeCardNumber(text) : !holdsCardNumber(text);
}

function pick<T>(all: Record<string, T>, isKept: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name)));
}
