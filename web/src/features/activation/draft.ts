import { useState } from "react";
import { session } from "~/shared/session/session";

/** A run never changes its version, so that its id also says which chart the drafts belong to. */
type Kept = { id: string; drafts: Record<string, Record<string, string>> };

/** One entry per user: the last run and the unsaved entries of its steps. Never a pin, never the flow's state. */
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

/** What was typed in a step and not sent: it survives a reload and a phone that locks. */
export function useDraft<F extends Record<string, string>>(id: string, step: string) {
  const [held] = useState(() => read(id).drafts[step] as F | undefined);
  function keep(fields: F): void {
    const kept = read(id);
    localStorage.setItem(
      key(),
      JSON.stringify({ ...kept, drafts: { ...kept.drafts, [step]: fields } }),
    );
  }
  return { held, keep };
}

/** A step that was left behind needs its draft no longer. */
export function dropDraft(id: string, step: string): void {
  const kept = read(id);
  if (!(step in kept.drafts)) return;
  const { [step]: _gone, ...drafts } = kept.drafts;
  localStorage.setItem(key(), JSON.stringify({ ...kept, drafts }));
}
