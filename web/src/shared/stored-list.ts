import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { session } from "~/shared/session/session";
import { type StoredThing, storageKey } from "./storage";
import { signal } from "./store";

/** A list of the present user in the browser's storage; one that somebody tampered with counts as none. */
export function storedList<Entry>(thing: StoredThing, entry: z.ZodMiniType<Entry>) {
  const entries = z.array(entry);
  const changes = signal();
  let read: { key: string; text: string | null; list: readonly Entry[] } | undefined;

  function keyOfUser(): string {
    const now = session();
    return storageKey(thing, now.state === "anonymous" ? "guest" : now.user.id);
  }

  function parsed(text: string | null): readonly Entry[] {
    try {
      return z.safeParse(entries, JSON.parse(text ?? "[]")).data ?? [];
    } catch {
      return [];
    }
  }

  function get(): readonly Entry[] {
    const key = keyOfUser();
    const text = localStorage.getItem(key);
    if (read?.key !== key || read.text !== text) read = { key, text, list: parsed(text) };
    return read.list;
  }

  return {
    get,
    set(list: readonly Entry[]): void {
      localStorage.setItem(keyOfUser(), JSON.stringify(list));
      changes.tell();
    },
    use: () => useSyncExternalStore(changes.on, get),
  };
}
