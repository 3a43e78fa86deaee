import { clearAlerts } from "~/shared/alerts/alerts";
import { visited } from "~/shared/navigation/back";
import { shown } from "~/shared/navigation/came-from";
import { onSession, session, workOf } from "~/shared/session/session";
import { leavePage } from "~/shared/ui/heading";
import { mayPrefetch, whenIdle } from "./prefetch";
import type { router as Router } from "./router";

/** What follows from a change of page or of person: messages go, guards are asked again, likely pages are fetched ahead. */
export function watchNavigation(router: typeof Router): void {
  visited(router.state.location.pathname);
  shown(router.state.location.href);
  router.subscribe("onBeforeNavigate", ({ pathChanged }) => {
    leavePage();
    if (pathChanged) clearAlerts();
  });
  router.subscribe("onResolved", ({ toLocation }) => {
    visited(toLocation.pathname);
    shown(toLocation.href);
  });
  let before = standing();
  onSession(() => {
    const now = standing();
    if (now === before) return;
    before = now;
    void router.invalidate();
  });
  whenIdle(() => {
    if (mayPrefetch()) void router.preloadRoute({ to: "/activation" }).catch(() => undefined);
  });
}

/** What the guards look at. */
function standing(): string {
  const now = session();
  return `${now.state} ${now.state === "anonymous" ? "" : now.user.id} ${workOf(now)?.business?.code ?? ""}`;
}
