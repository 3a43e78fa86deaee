import { useLingui } from "@lingui/react/macro";
import { useSyncExternalStore } from "react";
import { localeOf } from "~/i18n/texts";

const TICK_MS = 1000;
let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(watcher: () => void): () => void {
  if (watchers.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}

/** What was noted while somebody watched is stale once nobody does. */
function present(): number {
  if (watchers.size === 0 && Math.abs(Date.now() - now) >= TICK_MS) now = Date.now();
  return now;
}

/** Milliseconds since the epoch, moving once a second: one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(watch, present);
}

/** How long ago, in words, which are not read out again as they move on: `12 s ago`, `3 min ago`, `2 h ago`, `4 days ago`. */
export function Age({ since }: { since: string }) {
  const { i18n, t } = useLingui();
  const seconds = Math.max(0, Math.round((useNow() - Date.parse(since)) / 1000));
  const text = seconds < 2 ? t`just now` : ago(i18n.locale, seconds);
  return (
    <time
      aria-live="off"
      dateTime={since}
      title={new Date(since).toLocaleString(localeOf(i18n.locale))}
    >
      {text}
    </time>
  );
}

/** How long it has been going on: `0:42`, `12:05`, `1:02:09`. */
export function Elapsed({ since }: { since: string }) {
  const seconds = Math.max(0, Math.round((useNow() - Date.parse(since)) / 1000));
  return (
    <time aria-live="off" dateTime={`PT${seconds}S`}>
      {clock(seconds)}
    </time>
  );
}

/** What is left until then, never below zero. */
export function Remaining({ until }: { until: string }) {
  const seconds = Math.max(0, Math.round((Date.parse(until) - useNow()) / 1000));
  return (
    <time aria-live="off" dateTime={`PT${seconds}S`}>
      {clock(seconds)}
    </time>
  );
}

export function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(s).padStart(2, "0")}`;
  return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${tail}` : `${m}:${tail}`;
}

export function ago(language: string, seconds: number): string {
  const words = new Intl.RelativeTimeFormat(localeOf(language), {
    style: "short",
    numeric: "always",
  });
  if (seconds < 60) return words.format(-seconds, "second");
  if (seconds < 3600) return words.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return words.format(-Math.floor(seconds / 3600), "hour");
  return words.format(-Math.floor(seconds / 86_400), "day");
}
