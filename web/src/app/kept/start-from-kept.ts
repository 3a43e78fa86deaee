import { onlineManager, type QueryClient } from "@tanstack/react-query";
import { lateRenewal, prove } from "~/shared/api/fetch";
import { reloadBusiness } from "~/shared/business";
import { type KeptAnswer, restored } from "~/shared/kept/answers";
import { businessOf, isUnproven, onSession, recognise, session } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";
import { fillFromKept } from "./keep-answers";

const LIST = "/offline";

/**
 * A start that does not reach the server: whoever was signed in last sees what was kept for them, and is proven with the
 * signal. Whatever else was opened becomes the list of what is kept, which leads there with the signal. Gives back how to wait for
 * the signal no longer.
 */
export async function startFromKept(cache: QueryClient): Promise<() => void> {
  let leave = () => {};
  const kept = await restored().catch(() => undefined);
  if (session().state === "signed-in") {
    await loadWork().catch(() => undefined); // the answer came after all
    return leave;
  }
  if (kept) {
    onlineManager.setOnline(navigator.onLine); // it believes in a network until it hears of one
    recognise(kept.user, kept.work);
    fillFromKept(cache, kept.answers);
    leave = goOnWithSignal(cache);
  } else {
    void lateRenewal()?.then(
      (isSignedIn) => (isSignedIn ? askAgain(cache, businessOf(session())) : undefined),
      () => undefined, // it reached nobody
    );
  }
  const { pathname, search, hash } = window.location;
  if (pathname === LIST || isKept(window.location, kept?.answers ?? [])) return leave;
  // A network that reaches nobody is none, and with nothing kept the page itself says so.
  if (navigator.onLine && !kept) return leave;
  // A guest's secret stays in the fragment.
  const next = encodeURIComponent(pathname + search);
  window.history.replaceState(null, "", `${LIST}?next=${next}${hash}`);
  return leave;
}

/** Whether the page of an address can be shown from what is kept. */
export function isKept(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  answers: readonly KeptAnswer[],
): boolean {
  const query = new URLSearchParams(search);
  const [, area, name, ...deeper] = pathname.split("/");
  if (deeper.length > 0) return false;
  if (area === "activation" && name === "device")
    return answers.some(({ kind, id }) => kind === "activation" && id === query.get("id"));
  if (area !== "devices") return false;
  if (name) return answers.some(({ kind, id }) => kind === "device" && id === name.toUpperCase());
  return !query.get("q") && !query.get("state") && answers.some(({ kind }) => kind === "devices");
}

/** Once the person is proven, by their cookie or at the sign-in above the page, all that is on screen is asked for again. */
function goOnWithSignal(cache: QueryClient): () => void {
  const former = businessOf(session());
  const tell = () => void prove().catch(() => undefined); // the next signal, or the next call, tries again
  window.addEventListener("online", tell);
  const stop = onSession(() => {
    if (session().state !== "signed-in" || isUnproven()) return;
    leave();
    void askAgain(cache, former);
  });
  function leave(): void {
    window.removeEventListener("online", tell);
    stop();
  }
  return leave;
}

/** What was kept may be of a business that was left on another device meanwhile. */
async function askAgain(cache: QueryClient, former: string | undefined): Promise<void> {
  await loadWork().catch(() => undefined);
  if (businessOf(session()) === former) await cache.invalidateQueries({}, { cancelRefetch: false });
  else await reloadBusiness();
}
