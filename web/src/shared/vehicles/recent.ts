import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { CONSTANTS } from "~/shared/constants";
import { session } from "~/shared/session/session";
import { storageKey } from "~/shared/storage";

const entries = z.array(z.object({ name: z.string(), value: z.string() }));

/** `name` is "year make model", `value` is "year,makeId,modelId" (devices spec 3). */
export type RecentVehicle = { name: string; value: string };

type Chosen = {
  year?: number;
  make_id?: number;
  make?: string;
  model_id?: number;
  model?: string;
};

/** What an earlier portal kept under names that hold no user. */
const LEGACY = ["vehicle_search", "recent_vehicle_searches"] as const;

/** A repeated one stays where it is; beyond five the oldest goes (rulings "Where the specs disagree"). */
export function remembered(
  held: readonly RecentVehicle[],
  next: RecentVehicle,
): readonly RecentVehicle[] {
  if (held.some(({ value }) => value === next.value)) return held;
  return [...held, next].slice(-CONSTANTS.recentVehicles);
}

/** An entry needs year and both ids and names; a placeholder without them is ignored (devices spec 5). */
export function entryOf({
  year,
  make_id,
  make,
  model_id,
  model,
}: Chosen): RecentVehicle | undefined {
  if (!(year && make_id && make && model_id && model)) return undefined;
  return { name: `${year} ${make} ${model}`, value: `${year},${make_id},${model_id}` };
}

const listeners = new Set<() => void>();
let read: { key: string; text: string | null; list: readonly RecentVehicle[] } | undefined;

export function rememberVehicle(chosen: Chosen): void {
  const next = entryOf(chosen);
  if (!next) return;
  localStorage.setItem(ownKey(), JSON.stringify(remembered(recentVehicles(), next)));
  for (const listener of listeners) listener();
}

export function useRecentVehicles(): readonly RecentVehicle[] {
  return useSyncExternalStore(onChange, recentVehicles);
}

export function recentVehicles(): readonly RecentVehicle[] {
  const key = ownKey();
  const text = localStorage.getItem(key);
  if (read?.key !== key || read.text !== text) read = { key, text, list: parsed(text) };
  return read.list;
}

export function forgetLegacy(): void {
  for (const key of LEGACY) localStorage.removeItem(key);
}

function parsed(text: string | null): readonly RecentVehicle[] {
  try {
    const found = z.safeParse(entries, JSON.parse(text ?? "[]"));
    return found.success ? found.data.slice(-CONSTANTS.recentVehicles) : [];
  } catch {
    return [];
  }
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function ownKey(): string {
  const now = session();
  return storageKey("recent_vehicle_searches", now.state === "anonymous" ? "guest" : now.user.id);
}
