import { CONSTANTS } from "~/shared/constants";

type Connection = { effectiveType?: string; saveData?: boolean };

/** Nothing is fetched ahead on a slow line, or for people who save data (shell spec 9). */
export function mayPrefetch(
  connection = (navigator as { connection?: Connection }).connection,
): boolean {
  return !connection?.saveData && !/(^|-)2g$/.test(connection?.effectiveType ?? "");
}

/** Runs once the browser has nothing to do, after two seconds at the latest. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "undefined") setTimeout(work, CONSTANTS.prefetchIdle);
  else requestIdleCallback(work, { timeout: CONSTANTS.prefetchIdle });
}

/** Once, when the signal comes back. */
export function onceOnline(work: () => void): void {
  window.addEventListener("online", work, { once: true });
}

/** What a page does with a script that comes after it: where it does not come, once more with the signal. */
export function afterwards<Script>(
  fetchIt: () => Promise<Script>,
  work: (script: Script) => void,
): void {
  fetchIt().then(work, () => onceOnline(() => afterwards(fetchIt, work)));
}
