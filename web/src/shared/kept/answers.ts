import * as z from "zod/mini";
import { type SignedInUser, session, type Work } from "~/shared/session/session";
import { ANSWERS } from "./forget";

export type AnswerKind = "activation" | "device" | "devices";

/** How many of each are kept; beyond that the oldest goes. */
const MOST_ANSWERS: Record<AnswerKind, number> = { activation: 5, device: 10, devices: 1 };

/** In ms: a week; what is older says too little of a car. */
export const KEPT_MS = 7 * 24 * 3_600_000;

const WHO = "/kept-answers/who";

const answer = z.object({
  kind: z.enum(["activation", "device", "devices"]),
  /** Of its kind: a run's id, a device's serial number; none of the one list. */
  id: z.string(),
  title: z.string(),
  /** What else tells it from others, as the vehicle of a run. */
  more: z.string(),
  /** When the server said so, in ms since the epoch. */
  at: z.number(),
  person: z.string(),
  /** The code of the business that it was asked for; null without one. */
  business: z.nullable(z.string()),
  queryKey: z.array(z.unknown()),
  data: z.unknown(),
});

/** An answer of the server as a query holds it, kept to be looked at without a signal. */
export type KeptAnswer = z.infer<typeof answer>;

const who = z.object({ user: z.looseObject({ id: z.string() }), work: z.looseObject({}) });

type Who = { user: SignedInUser; work: Work };

/** Whose answers are kept. Those of another person, or of another business, go. */
export async function keepWho({ user, work }: Who): Promise<void> {
  if (!("caches" in globalThis)) return;
  const cache = await caches.open(ANSWERS);
  await cache.put(WHO, Response.json({ user, work }));
  const business = work.business?.code ?? null;
  await drop((kept) => kept.person !== user.id || kept.business !== business || isTooOld(kept));
}

/** In the place of what was kept of the same thing. */
export async function keepAnswer(next: KeptAnswer): Promise<void> {
  if (!("caches" in globalThis)) return;
  const cache = await caches.open(ANSWERS);
  await cache.put(pathOf(next), new Response(JSON.stringify(next, withoutProofs)));
  const alike = (await all()).filter(({ kind }) => kind === next.kind);
  for (const old of alike.slice(MOST_ANSWERS[next.kind])) await cache.delete(pathOf(old));
}

/** What is no longer for the person. */
export function dropAnswer(kind: AnswerKind, id: string): Promise<void> {
  return drop((kept) => kept.kind === kind && kept.id === id);
}

/** Who was signed in last and what is kept for them, the newest first; undefined when nothing is, or somebody else is here now. */
export async function restored(): Promise<(Who & { answers: KeptAnswer[] }) | undefined> {
  if (!("caches" in globalThis) || !(await caches.has(ANSWERS))) return undefined;
  const held = await (await caches.open(ANSWERS)).match(WHO);
  const { data } = z.safeParse(who, await held?.json().catch(() => undefined));
  if (!data) return undefined;
  const { user, work } = data as Who; // written by `keepWho` alone
  const now = session();
  if (now.state !== "anonymous" && now.user.id !== user.id) return undefined;
  const business = work.business?.code ?? null;
  const answers = (await all()).filter(
    (kept) => kept.person === user.id && kept.business === business && !isTooOld(kept),
  );
  return answers.length > 0 ? { user, work, answers } : undefined;
}

/** Digits of a SIM and secrets of links prove something, and are held in memory alone. */
function withoutProofs(name: string, value: unknown): unknown {
  return name === "iccid_last_digits" || name === "resume_token" ? null : value;
}

function isTooOld({ at }: KeptAnswer): boolean {
  return at < Date.now() - KEPT_MS;
}

function pathOf({ kind, id }: Pick<KeptAnswer, "kind" | "id">): string {
  return `/kept-answers/${kind}/${encodeURIComponent(id)}`;
}

async function drop(goes: (kept: KeptAnswer) => boolean): Promise<void> {
  if (!("caches" in globalThis) || !(await caches.has(ANSWERS))) return;
  const cache = await caches.open(ANSWERS);
  for (const kept of await all()) if (goes(kept)) await cache.delete(pathOf(kept));
}

/** The newest first; what is none of ours is passed over. */
async function all(): Promise<KeptAnswer[]> {
  const cache = await caches.open(ANSWERS);
  const held = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  const texts = await Promise.all(held.map((one) => one?.json().catch(() => undefined)));
  return texts
    .flatMap((text) => z.safeParse(answer, text).data ?? [])
    .sort((one, other) => other.at - one.at);
}
