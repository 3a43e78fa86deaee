import { useSyncExternalStore } from "react";
import { session } from "~/shared/session/session";
import { type StoredThing, storageKey } from "./storage";
import { signal } from "./store";
import { listOf, type Shape } from "./stored-shape";

/** A list of the present user in the browser's storage; one that somebody tampered with counts as none. */
export function storedList<Entry>(thing: StoredThing, entry: Shape<Entry>) {
  const entries = listOf(entry);
  const changes = signal();
  let read: { key: string; text: string | null; list: readonly Entry[] } | undefined;

  function keyOfUser(): string {
    const now = session();
    return storageKey(thing, now.state === "anonymous" ? "guest" : now.user.id);
  }

  function parsed(text: string | null): readonly Entry[] {
    try {
      const found: unknown = JSON.parse(text ?? "[]");
      return entries(found) ? found : [];
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
