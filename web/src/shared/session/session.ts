import type { components } from "~/shared/api/schema.gen";
import { forgetKept } from "~/shared/kept/forget";
import { forgetAtEnd } from "~/shared/storage";
import { storeOf } from "~/shared/store";

export type SignedInUser = components["schemas"]["Person"];

/** For whom the signed-in user works: their own business, or the one that a rep has chosen. */
export type Work = components["schemas"]["Work"];

/** Why nobody is signed in any more: the sign-in ended elsewhere, or the second factor was turned off. */
export type Ended = "elsewhere" | "mfa-off";

export type Session =
  | { state: "anonymous"; ended?: Ended }
  | { state: "signed-in"; user: SignedInUser; token?: string; refreshToken?: string; work?: Work }
  | { state: "expired"; user: SignedInUser; work?: Work };

/** The access token lives here only: in memory, gone with the tab. Without one the person is yet to be proven. */
const present = storeOf<Session>({ state: "anonymous" });
let capability: string | undefined;
let leftAt: number | undefined;

export const session = present.get;
export const useSession = present.use;
export const onSession = present.on;

/** Who is signed in, or was until the sign-in expired under them. */
export function personOf(now: Session = present.get()): string | undefined {
  return now.state === "anonymous" ? undefined : now.user.id;
}

/**
 * What else a person leaves in memory goes with them: `forget` is called whenever whoever was signed in is so no more, by
 * signing out here or elsewhere or because another one signs in.
 */
export function onLeft(forget: () => void): () => void {
  let last = personOf();
  return present.on(() => {
    const left = last !== undefined && last !== personOf();
    last = personOf();
    if (left) forget();
  });
}

/** `refreshToken` only when the person did not ask to be remembered: it goes with the tab, like the token itself. */
export function begin(user: SignedInUser, token: string, refreshToken?: string): void {
  const before = present.get();
  const same = before.state !== "anonymous" && before.user.id === user.id;
  if (before.state !== "anonymous" && !same) void forgetKept();
  const work = same ? before.work : undefined;
  present.set({ state: "signed-in", user, token, refreshToken, work });
}

/** Whoever was signed in here last, at a start without a signal: they look at what was kept for them. */
export function recognise(user: SignedInUser, work: Work | undefined): void {
  present.set({ state: "signed-in", user, work });
}

/** Nothing is asked in the person's name before their cookie was shown (`shared/api/fetch.ts`). */
export function isUnproven(now: Session = present.get()): boolean {
  return now.state === "signed-in" && now.token === undefined;
}

/** The person's record or business changed while they stay signed in. */
export function amend(change: { user?: SignedInUser; work?: Work }): void {
  const now = present.get();
  if (now.state === "signed-in") present.set({ ...now, ...change });
}

/** The token no longer holds: sign-in opens over the page, and what was typed stays. */
export function expire(): void {
  const now = present.get();
  if (now.state === "signed-in") present.set({ state: "expired", user: now.user, work: now.work });
}

/** `ended`: it was not by logging out, and the login page says why. */
export function end(ended?: Ended): void {
  void forgetKept();
  forgetAtEnd();
  leftAt = undefined;
  present.set(ended ? { state: "anonymous", ended } : { state: "anonymous" });
}

export function workOf(now: Session): Work | undefined {
  return now.state === "anonymous" ? undefined : now.work;
}

/** The business that one works for, also while the sign-in is asked for again. */
export function useBusiness(): Work["business"] | undefined {
  return workOf(useSession())?.business;
}

/** A rep who has not chosen a business yet. */
export function needsBusiness(now: Session): boolean {
  const work = workOf(now);
  return Boolean(work?.must_choose && !work.business);
}

/** The code of the business that one works for. */
export function businessOf(now: Session): string | undefined {
  return workOf(now)?.business?.code;
}

/** A guest's capability for one activation, from the link's fragment; it goes before a token. */
export function carry(secret: string | undefined): void {
  if (secret === capability) return;
  if (!secret) leftAt = Date.now();
  capability = secret;
  present.set(present.get()); // whoever follows the session sends another credential now
}

export function carried(): string | undefined {
  return capability;
}

/** When a guest's link was left last, in ms since the epoch: until then it spoke for whoever is signed in behind it. */
export function leftLinkAt(): number | undefined {
  return leftAt;
}

export function credential(): string | undefined {
  const now = present.get();
  return capability ?? (now.state === "signed-in" ? now.token : undefined);
}

/** The price list that requests name: the business's, else the list price. */
export function channel(): string {
  return workOf(present.get())?.business?.channel ?? "msrp";
}
