import { reloadBusiness } from "~/shared/business";
import { hasUnsaved } from "~/shared/forms/unsaved";
import type { FlowEvent } from "~/shared/live/frames";
import { live } from "~/shared/live/live";
import { carried, end, expire, onSession, session, workOf } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";

/**
 * Hears from the server when the sign-in ends or its business changes, wherever that was done. Only a page that is in
 * view listens, as a browser keeps few connections to one server; one that comes into view asks.
 */
export function followSession(): void {
  let stop: (() => void) | undefined;
  function sync() {
    const wanted =
      session().state === "signed-in" && !carried() && document.visibilityState === "visible";
    if (wanted) stop ??= live.follow("session:me", hear);
    else {
      stop?.();
      stop = undefined;
    }
  }
  onSession(sync);
  document.addEventListener("visibilitychange", () => {
    sync();
    if (document.visibilityState === "visible") void loadWork().catch(() => undefined);
  });
  sync();
}

function hear({ state, view }: FlowEvent): void {
  const now = session();
  if (now.state !== "signed-in") return;
  const { code } = view as { code: string | null };
  if (state === "business") {
    if (code === (workOf(now)?.business?.code ?? null)) return;
    void loadWork()
      .then(reloadBusiness)
      .catch(() => undefined);
  } else if (hasUnsaved()) {
    expire();
  } else {
    end("elsewhere");
  }
}
