import { useSyncExternalStore } from "react";

type Listener = () => void;

/** Whoever listens is told of each change; for what is kept elsewhere, as in the browser's storage. */
export function signal() {
  const listeners = new Set<Listener>();
  return {
    on(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(): void {
      for (const listener of listeners) listener();
    },
  };
}

/** One value of the whole page, outside any component. */
export function storeOf<Value>(initial: Value) {
  let value = initial;
  const { on, tell } = signal();
  const get = () => value;
  return {
    get,
    on,
    set(next: Value): void {
      value = next;
      tell();
    },
    use: () => useSyncExternalStore(on, get),
  };
}
