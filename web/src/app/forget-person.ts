import type { Query, QueryClient } from "@tanstack/react-query";
import { hasUnsaved } from "~/shared/forms/unsaved";
import { isForEverybody } from "./business-areas";

/**
 * Drops what was fetched for somebody who is gone: what the page shows is empty until `askAnew`. Under a form that holds
 * something unsaved it stays as it is, for as long as it is shown.
 */
export function forgetPerson(cache: QueryClient): void {
  const held = cache.getQueryCache();
  const shown = new Set<Query>();
  for (const query of held.getAll()) {
    if (isForEverybody(query)) continue;
    if (query.getObserversCount() === 0) held.remove(query);
    else if (hasUnsaved()) shown.add(query);
    else query.reset();
  }
  if (shown.size === 0) return;
  const stop = held.subscribe(({ query }) => {
    if (query.getObserversCount() > 0 || !shown.delete(query)) return;
    held.remove(query);
    if (shown.size === 0) stop();
  });
}

/** Asks for what the page shows and has lost. */
export function askAnew(cache: QueryClient): Promise<void> {
  return cache.refetchQueries(
    { type: "active", predicate: ({ state }) => state.status === "pending" },
    { cancelRefetch: false }, // what is asked for already comes
  );
}
