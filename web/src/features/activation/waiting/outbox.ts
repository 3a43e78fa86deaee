import { useSyncExternalStore } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { sha256 } from "~/shared/api/sha256";
import { after } from "~/shared/flow/position";
import { masked } from "~/shared/forms/card-numbers";
import { tellWaiting } from "~/shared/kept/waiting";
import { carried, credential, onSession, session } from "~/shared/session/session";
import { storageKey } from "~/shared/storage";
import { signal } from "~/shared/store";
import { type Action, type At, perform } from "../calls";
import type { Run } from "../session-hook";

/** What may wait for a signal: forms and skips. Pins, commands, money and what cannot be undone never do. */
export type KeptAction = Extract<Action, { type: "SUBMIT" | "SKIP" }>;

/** `record`: it changes our own record only, and is sent by itself. `device`: it is written to the device, by a tap. */
type Reach = "record" | "device";

/**
 * Sent again, it is the same one: `key` is its idempotency key. `refused` is why it no longer fits. A guest's is marked
 * by the link that it was kept under.
 */
export type Kept = {
  key: string;
  at: At;
  device: string;
  action: KeptAction;
  reach: Reach;
  kept: string;
  under?: string;
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
const { on: onAdopted, tell: tellAdopted } = signal();

const GUESTS = "activation_outbox";
/** As long as a guest's link lives (docs/decisions/0008-guests-prove-possession-again.md). */
const GUESTS_MS = 60 * 24 * 3_600_000;

/** A guest's link stands before the sign-in, as it does in every call. */
function key(): string {
  const now = session();
  return carried() || now.state === "anonymous" ? GUESTS : storageKey(GUESTS, now.user.id);
}

/** What tells one guest's link from another, without its secret; nothing for who carries none. */
function mark(): string | undefined {
  const secret = carried();
  return secret && sha256(secret).slice(0, 4).join(".");
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

function write(list: readonly Kept[], where = key()): void {
  if (list.length > 0) localStorage.setItem(where, JSON.stringify(list));
  else localStorage.removeItem(where);
  tell();
}

/**
 * One for each step of a run: a later one takes the place of an earlier. Gives back whether it is kept: a store that is full
 * takes nothing.
 */
export function keep(one: Kept): boolean {
  const others = kept().filter(
    ({ at }) => at.id !== one.at.id || at.seq !== one.at.seq || at.view.step !== one.at.view.step,
  );
  try {
    write([...others, { ...one, action: withoutCardNumber(one.action), under: mark() }]);
    return true;
  } catch {
    return false;
  }
}

/** What is no secret to the server stays none here: a reason is free text (docs/decisions/0037-money-calls.md). */
function withoutCardNumber(action: KeptAction): KeptAction {
  return action.type === "SKIP" ? { ...action, reason: masked(action.reason) } : action;
}

/** A run that is opened by another link than before takes what waits for it under that one: the link opens it alone. */
export function adopt(id: string): void {
  const present = mark();
  if (!kept().some(({ at, under }) => at.id === id && under !== present)) return;
  write(kept().map((one) => (one.at.id === id ? { ...one, under: present } : one)));
  tellAdopted();
}

/** Whether it can be opened and sent from here: a guest's opens by the link that it was kept under alone. */
export function isAtHand({ under }: Kept): boolean {
  return under === mark();
}

export function drop(gone: string): void {
  write(kept().filter((one) => one.key !== gone));
}

const OVER = { code: "closed", detail: "This activation has ended." };

/**
 * A run that is over takes nothing more. What a guest kept goes with it, but for what is being sent: gives back whether any
 * did. What a person kept stays to be read: the server refuses what is sent by itself, and what would be written to the
 * device no longer fits.
 */
export function endRun(id: string): boolean {
  const here = kept().filter(({ at }) => at.id === id);
  if (key() === GUESTS) {
    const going = new Set(here.map(({ key }) => key).filter((key) => !underWay.has(key)));
    if (going.size > 0) write(kept().filter(({ key }) => !going.has(key)));
    return going.size > 0;
  }
  if (here.some(isReady))
    write(
      kept().map((one) => (one.at.id === id && isReady(one) ? { ...one, refused: OVER } : one)),
    );
  return false;
}

/** Whether it is there to be sent by a tap. */
function isReady({ reach, refused }: Kept): boolean {
  return reach === "device" && !refused;
}

/** Nobody else ends what a guest left: there is no sign-out. */
function dropOldOfGuests(): void {
  const list = parsed(localStorage.getItem(GUESTS));
  const young = list.filter((one) => Date.parse(one.kept) > Date.now() - GUESTS_MS);
  if (young.length < list.length) write(young, GUESTS);
}

/** Whether it is sent by itself: not once refused, and only by whoever kept it. A link opens one run and no other. */
function isDue(one: Kept): boolean {
  return one.reach === "record" && !one.refused && credential() !== undefined && isAtHand(one);
}

let sending = false;

/** Sends what waits for a signal, in the order in which it was kept. What is refused stays, and says why. */
export async function sendKept(): Promise<void> {
  if (sending || !navigator.onLine) return;
  sending = true;
  try {
    for (const { key } of kept()) {
      // Whose they are may have changed since the last one.
      const one = kept().find((held) => held.key === key);
      if (!one || !isDue(one)) continue;
      const problem = await sendOne(one);
      if (problem?.passing || problem?.status === 401) return;
    }
  } finally {
    sending = false;
  }
}

/** The keys of what is on its way: its answer says what becomes of it. */
const underWay = new Set<string>();

/** By a tap, or by itself. A network that fails again leaves it as it is. */
export async function sendOne(one: Kept): Promise<Problem | undefined> {
  underWay.add(one.key);
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
  } finally {
    underWay.delete(one.key);
  }
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Sends at the start, when the network is back and when somebody is signed in again; while something waits all the same,
 * again after a pause that grows. Gives back how to end that.
 */
export function watchOutbox(): () => void {
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = whose();

  async function send() {
    await sendKept();
    clearTimeout(timer);
    if (!navigator.onLine || !kept().some(isDue)) return;
    timer = setTimeout(() => void send(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
  function afresh() {
    pause = FIRST_PAUSE_MS;
    void send();
  }

  const unadopt = onAdopted(afresh);
  const untell = on(() => tellWaiting(kept().length));
  tellWaiting(kept().length);
  const forget = onSession(() => {
    if (whose() === last) return;
    tell();
    last = whose();
    afresh();
  });
  window.addEventListener("online", afresh);
  window.addEventListener("storage", tell);
  dropOldOfGuests();
  afresh();
  return () => {
    forget();
    unadopt();
    untell();
    window.removeEventListener("online", afresh);
    window.removeEventListener("storage", tell);
    clearTimeout(timer);
  };
}

/** A token that is renewed changes nothing here; the first one does. */
function whose(): string {
  return `${key()} ${mark() ?? credential() !== undefined}`;
}
