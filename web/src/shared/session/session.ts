import { useSyncExternalStore } from "react";
import type { components } from "~/shared/api/schema.gen";

export type SignedInUser = components["schemas"]["Person"];

/** For whom the signed-in user works: their own business, or the one that a rep has chosen. */
export type Work = components["schemas"]["Work"];

export type Session =
  | { state: "anonymous"; ended?: true }
  | { state: "signed-in"; user: SignedInUser; token: string; refreshToken?: string; work?: Work }
  | { state: "expired"; user: SignedInUser; work?: Work };

/** The access token lives here only: in memory, gone with the tab. */
let present: Session = { state: "anonymous" };
let capability: string | undefined;
const listeners = new Set<() => void>();

export function session(): Session {
  return present;
}

export function useSession(): Session {
  return useSyncExternalStore(onSession, session);
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `refreshToken` only when the person did not ask to be remembered: it goes with the tab, like the token itself. */
export function begin(user: SignedInUser, token: string, refreshToken?: string): void {
  const same = present.state !== "anonymous" && present.user.id === user.id;
  become({
    state: "signed-in",
    user,
    token,
    refreshToken,
    work: same ? workOf(present) : undefined,
  });
}

/** The person's record or business changed while they stay signed in. */
export function amend(change: { user?: SignedInUser; work?: Work }): void {
  if (present.state === "signed-in") become({ ...present, ...change });
}

/** The token no longer holds: sign-in opens over the page, and what was typed stays. */
export function expire(): void {
  if (present.state === "signed-in")
    become({ state: "expired", user: present.user, work: present.work });
}

/** `unasked`: the sign-in ended elsewhere, and the login page says so. */
export function end(unasked = false): void {
  become(unasked ? { state: "anonymous", ended: true } : { state: "anonymous" });
}

export function workOf(now: Session): Work | undefined {
  return now.state === "anonymous" ? undefined : now.work;
}

/** A guest's capability for one activation, from the link's fragment; it goes before a token. */
export function carry(secret: string | undefined): void {
  if (secret === capability) return;
  capability = secret;
  for (const listener of listeners) listener();
}

export function carried(): string | undefined {
  return capability;
}

export function credential(): string | undefined {
  return capability ?? (present.state === "signed-in" ? present.token : undefined);
}

/** The price list that requests name: the business's, else the list price. */
export function channel(): string {
  return workOf(present)?.business?.channel ?? "msrp";
}

function become(next: Session): void {
  present = next;
  for (const listener of listeners) listener();
}
