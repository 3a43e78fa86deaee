import { useSyncExternalStore } from "react";

let asked = false;
const listeners = new Set<() => void>();

/** Opens the choice of a business, from wherever one is needed. */
export function askForBusiness(wanted = true): void {
  asked = wanted;
  for (const listener of listeners) listener();
}

export function useAskedForBusiness(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
}
