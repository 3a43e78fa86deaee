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
  const theirs = held.getAll().filter((query) => !isForEverybody(query));
  // Those that nobody looks at first: their rows may stand in for what is awaited on screen.
  for (const query of theirs) if (query.getObserversCount() === 0) drop(query);
  for (const query of theirs)
    if (query.getObserversCount() > 0) {
      if (hasUnsaved()) shown.add(query);
      else empty(query);
    }
  if (shown.size === 0) return;
  const stop = held.subscribe(({ query }) => {
    if (query.getObserversCount() > 0 || !shown.delete(query)) return;
    drop(query);
    if (shown.size === 0) stop();
  });

  function drop(query: Query): void {
    query.reset(); // whoever showed it before another page of a list holds it still
    held.remove(query);
  }
}

/** Rows of another page that stand in for what is awaited would stay; one that has failed has none. */
function empty(query: Query): void {
  if (query.state.status === "pending") query.setState({ status: "error" });
  query.reset();
}

/** Asks for what the page shows and has lost. */
export function askAnew(cache: QueryClient): Promise<void> {
  return cache.refetchQueries(
    { type: "active", predicate: ({ state }) => state.status === "pending" },
    { cancelRefetch: false }, // what is asked for already comes
  );
}
