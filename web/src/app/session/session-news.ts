import { problemOf } from "~/shared/api/errors";
import { reloadBusiness } from "~/shared/business";
import { hasUnsaved } from "~/shared/forms/unsaved";
import type { FlowEvent } from "~/shared/live/frames";
import { live } from "~/shared/live/live";
import { businessOf, carried, end, expire, onSession, session } from "~/shared/session/session";
import { isOurs, loadWork, type News, others } from "~/shared/session/work";

/** What is asked at this moment. */
let asked: Promise<unknown> = Promise.resolve();
/** The business may be another one than is known here: the answer that was asked for last has not come. */
let isBehind = false;

/**
 * Hears from the server when the sign-in ends or its business changes, wherever that was done. Only a page that is in
 * view listens, as a browser keeps few connections to one server; one that comes into view asks. Until what it returns is called.
 */
export function followSession(): () => void {
  let stop: (() => void) | undefined;
  let asking = false;
  let over = false;
  // What was asked before, and is never answered, holds up nothing.
  asked = Promise.resolve();
  isBehind = false;
  function sync() {
    void askUntilKnown();
    const wanted =
      session().state === "signed-in" && !carried() && document.visibilityState === "visible";
    if (wanted) stop ??= live.follow("session:me", hear);
    else {
      stop?.();
      stop = undefined;
    }
  }
  /** An answer did not come: without it a rep has no business to choose, or goes on under the one before. Asks until it does. */
  async function askUntilKnown(): Promise<void> {
    if (asking) return;
    asking = true;
    for (let pause = FIRST_PAUSE_MS; isUnknown(); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (over || !isUnknown()) break;
      const problem = await loadAnew().then(() => undefined, problemOf);
      if (problem && !problem.passing) break;
    }
    asking = false;
  }
  const askAnew = () => loadAnew().catch(askUntilKnown);
  function look() {
    sync();
    if (document.visibilityState === "visible") void askAnew();
  }
  /** A business that is chosen in one tab is that of the others. */
  function hearTab({ data }: MessageEvent<News>) {
    if (data.kind === "business" && isOurs(data)) void askAnew();
  }
  function hear({ state, view }: FlowEvent) {
    const now = session();
    if (now.state !== "signed-in") return;
    const { code } = view as { code: string | null };
    if (state === "business") {
      void asked.then(() => (code === businessNow() ? undefined : askAnew()));
    } else if (hasUnsaved()) {
      expire();
    } else {
      end("elsewhere");
    }
  }
  const forget = onSession(sync);
  document.addEventListener("visibilitychange", look);
  others?.addEventListener("message", hearTab);
  sync();
  return () => {
    over = true;
    forget();
    document.removeEventListener("visibilitychange", look);
    others?.removeEventListener("message", hearTab);
    stop?.();
  };
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * The business may be another one by now, or known at last: what is on the screen follows. One after the other, as several
 * tell of one change.
 */
async function loadAnew(): Promise<void> {
  const next = asked.then(bringsAnother);
  asked = next.then(
    () => (isBehind = false),
    () => (isBehind = true),
  );
  if (await next) await reloadBusiness();
}

/** Whether the answer does. What was chosen on this page meanwhile is followed by whoever chose it. */
async function bringsAnother(): Promise<boolean> {
  let before = businessNow();
  let isOther = false;
  const forget = onSession(() => {
    isOther = businessNow() !== before;
    before = businessNow();
  });
  await loadWork().finally(forget);
  return isOther;
}

function businessNow(): string | null {
  return businessOf(session()) ?? null;
}

function isUnknown(): boolean {
  const now = session();
  return now.state === "signed-in" && (!now.work || isBehind) && !carried();
}
