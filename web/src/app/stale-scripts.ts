import { CONSTANTS } from "~/shared/constants";
import { hasUnsaved } from "~/shared/forms/unsaved";
import { onceOnline } from "./prefetch";

const KEY = "stale_script_reload";

/**
 * After a deploy an old page asks for scripts that are gone: reload, once per 60 s, never over a dirty form. Without a
 * network there would be nothing to load: the page that is there says so.
 */
export function reloadStaleScripts(): void {
  window.addEventListener("vite:preloadError", (event) => {
    // The router would reload by itself, even over a dirty form, unless it believes that it has done so.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, "1");
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (!navigator.onLine || hasUnsaved() || Date.now() - last < CONSTANTS.staleScriptReload)
      return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}

/**
 * A sheet that did not come for want of a network is asked for again with the signal: the script that needs it takes it for
 * one that is there, and would show its part without it.
 */
export function refetchSheets(): void {
  const hears = (event: Event) => {
    const sheet = event.target;
    if (sheet instanceof HTMLLinkElement && sheet.rel === "stylesheet")
      onceOnline(() => sheet.replaceWith(sheet.cloneNode()));
  };
  window.addEventListener("error", hears, { capture: true });
}
