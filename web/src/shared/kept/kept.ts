import { having, listOf, oneOf, text } from "~/shared/stored-shape";
import { CACHE } from "./forget";

const PREFIX = "/kept/";

/** Vehicles and guides, together. */
export const MOST_KEPT = 20;

type Cell = { title: string; value: string };
type Row = { name: string; color: string; cells: Cell[] };
export type KeptSection = { title: string; rows: Row[] };

/** What can be read without a network: a vehicle or a guide that was opened lately, as it was then. */
export type KeptEntry = {
  id: string;
  kind: "vehicle" | "guide";
  title: string;
  at: string;
  text: string[];
  sections: KeptSection[];
};

const cell = having<Cell>({ title: text, value: text });
const row = having<Row>({ name: text, color: text, cells: listOf(cell) });
const section = having<KeptSection>({ title: text, rows: listOf(row) });
const entry = having<KeptEntry>({
  id: text,
  kind: oneOf("vehicle", "guide"),
  title: text,
  at: text,
  text: listOf(text),
  sections: listOf(section),
});

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
  const all: unknown[] = await Promise.all(
    answers.map((answer) => answer?.json().catch(() => undefined)),
  );
  return all
    .flatMap((found) => (entry(found) ? found : []))
    .sort((one, other) => other.at.localeCompare(one.at));
}
