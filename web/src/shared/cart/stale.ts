import { useSyncExternalStore } from "react";
import type { Pieces } from "./waiting";

/** A cart that another one took the place of, and what was just to be put into it. */
export type StaleCart = { token: string; lines: readonly Pieces[] };

let stale: StaleCart | undefined;
const listeners = new Set<() => void>();

export function useStaleCart(): StaleCart | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stale,
  );
}

export function setStaleCart(next: StaleCart | undefined): void {
  stale = next;
  for (const listener of listeners) listener();
}
