import { useSyncExternalStore } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { after } from "~/shared/flow/position";
import { session } from "~/shared/session/session";
import { storageKey } from "~/shared/storage";
import { signal } from "~/shared/store";
import { type Action, type At, perform } from "./calls";
import type { Run } from "./session-hook";

/** What may wait for a signal: forms and skips. Pins, commands, money and what cannot be undone never do. */
export type KeptAction = Extract<Action, { type: "SUBMIT" | "SKIP" }>;

/** `record`: it changes our own record only, and is sent by itself. `device`: it is written to the device, by a tap. */
export type Reach = "record" | "device";

/** Sent again, it is the same one: `key` is its idempotency key. `refused` is why it no longer fits. */
export type Kept = {
  key: string;
  at: At;
  device: string;
  action: KeptAction;
  reach: Reach;
  kept: string;
  refused?: { code?: string; detail: string };
};

/** Steps whose form is written to the device and to nothing else. */
const WRITES: ReadonlySet<string> = new Set([
  "controller-option-tables",
  "keylocker-mode",
  "keylocker-option-tables",
  "keylocker-poc-pic",
  "hardwire-x1max",
]);

/** Whether a form or a skip of the present step may wait, and what for. A form without an effect leaves its step at once. */
export function reachOf(run: Run, type: Action["type"]): Reach | undefined {
  if (type !== "SUBMIT" && type !== "SKIP") return undefined;
  if (!run.can(type) || !run.position) return undefined;
  const next = after(run.position, type);
  const leaves = next !== undefined && !String(next.value).startsWith(`${run.step}/`);
  if (leaves && String(next.value) !== run.step) return "record";
  return type === "SUBMIT" && WRITES.has(run.step) ? "device" : undefined;
}

export function mayBeKept(action: Action): action is KeptAction {
  return action.type === "SUBMIT" || action.type === "SKIP";
}

const { on, tell } = signal();

function key(): string {
  const now = session();
  return now.state === "anonymous"
    ? "activation_outbox"
    : storageKey("activation_outbox", now.user.id);
}

let read: { text: string | null; list: readonly Kept[] } = { text: null, list: [] };

/** Oldest first. */
export function kept(): readonly Kept[] {
  const text = localStorage.getItem(key());
  if (text !== read.text) read = { text, list: parsed(text) };
  return read.list;
}

function parsed(text: string | null): readonly Kept[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export function useKept(): readonly Kept[] {
  return useSyncExternalStore(on, kept);
}

function write(list: readonly Kept[]): void {
  if (list.length > 0) localStorage.setItem(key(), JSON.stringify(list));
  else localStorage.removeItem(key());
  tell();
}

/** One for each step of a run: a later one takes the place of an earlier. */
export function keep(one: Kept): void {
  const others = kept().filter(
    ({ at }) => at.id !== one.at.id || at.seq !== one.at.seq || at.view.step !== one.at.view.step,
  );
  write([...others, one]);
}

export function drop(gone: string): void {
  write(kept().filter((one) => one.key !== gone));
}

let sending = false;

/** Sends what waits for a signal, in the order in which it was kept. What is refused stays, and says why. */
export async function sendKept(): Promise<void> {
  if (sending || !navigator.onLine) return;
  sending = true;
  try {
    for (const one of kept()) {
      if (one.reach !== "record" || one.refused) continue;
      const problem = await sendOne(one);
      if (problem?.passing || problem?.status === 401) return;
    }
  } finally {
    sending = false;
  }
}

/** By a tap, or by itself. A network that fails again leaves it as it is. */
export async function sendOne(one: Kept): Promise<Problem | undefined> {
  try {
    await perform(one.action, one.key, one.at);
    drop(one.key);
    return undefined;
  } catch (cause) {
    const problem = problemOf(cause);
    if (!problem.passing && problem.status !== 401) {
      const refused = { code: problem.code, detail: problem.detail };
      write(kept().map((held) => (held.key === one.key ? { ...held, refused } : held)));
    }
    return problem;
  }
}

/** Sends when the network is back, and once at the start. */
export function watchOutbox(): void {
  window.addEventListener("online", () => void sendKept());
  window.addEventListener("storage", tell);
  void sendKept();
}
