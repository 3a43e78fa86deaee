import { useSyncExternalStore } from "react";

export type SignedInUser = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  dealer_id?: string | null;
};

export type Session =
  | { state: "anonymous" }
  | { state: "signed-in"; user: SignedInUser; token: string; refreshToken?: string }
  | { state: "expired"; user: SignedInUser };

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
  become({ state: "signed-in", user, token, refreshToken });
}

/** The token no longer holds: sign-in opens over the page, and what was typed stays. */
export function expire(): void {
  if (present.state === "signed-in") become({ state: "expired", user: present.user });
}

export function end(): void {
  become({ state: "anonymous" });
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

function become(next: Session): void {
  present = next;
  for (const listener of listeners) listener();
}
