import * as z from "zod/mini";

import { CACHE } from "./forget";

const PREFIX = "/kept/";

/** Vehicles and guides, together. */
export const MOST_KEPT = 20;

const cell = z.object({ title: z.string(), value: z.string() });
const row = z.object({ name: z.string(), color: z.string(), cells: z.array(cell) });
const section = z.object({ title: z.string(), rows: z.array(row) });
const entry = z.object({
  id: z.string(),
  kind: z.enum(["vehicle", "guide"]),
  title: z.string(),
  at: z.string(),
  text: z.array(z.string()),
  /** What is not in it, and why. */
  lacks: z.optional(z.array(z.string())),
  sections: z.array(section),
});

/** What can be read without a network: a vehicle or a guide that was opened lately, as it was then. */
export type KeptEntry = z.infer<typeof entry>;
export type KeptSection = z.infer<typeof section>;

/** Keeps it in the place of what was kept of the same thing; beyond twenty the oldest goes. */
export async function keep(next: KeptEntry): Promise<void> {
  if (!("caches" in window)) return;
  const cache = await caches.open(CACHE);
  await cache.put(PREFIX + encodeURIComponent(next.id), Response.json(next));
  const known = await allKept();
  for (const { id } of known.slice(MOST_KEPT)) await cache.delete(PREFIX + encodeURIComponent(id));
}

/** The newest first; what is none of ours is passed over. */
export async function allKept(): Promise<KeptEntry[]> {
  if (!("caches" in window) || !(await caches.has(CACHE))) return [];
  const cache = await caches.open(CACHE);
  const answers = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  const texts = await Promise.all(answers.map((answer) => answer?.json().catch(() => undefined)));
  return texts
    .flatMap((text) => z.safeParse(entry, text).data ?? [])
    .sort((one, other) => other.at.localeCompare(one.at));
}
