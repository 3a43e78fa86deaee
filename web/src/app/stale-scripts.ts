import { hasUnsaved } from "~/shared/forms/unsaved";

const KEY = "stale_script_reload";
const ONCE_PER_MS = 60_000;

/** After a deploy an old page asks for scripts that are gone: reload, once per 60 s, never over a dirty form. */
export function reloadStaleScripts(): void {
  window.addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (hasUnsaved() || Date.now() - last < ONCE_PER_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}
