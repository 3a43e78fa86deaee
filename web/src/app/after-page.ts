import type { AnyRoute } from "@tanstack/react-router";
import type { AnswerKind } from "~/shared/kept/answers";
import { onSession, session } from "~/shared/session/session";
import { forgetLegacy } from "~/shared/vehicles/legacy";
import { afterwards, mayPrefetch, onceOnline, whenIdle } from "./prefetch";
import type { router as Router } from "./router";
import { leadToLogin } from "./session/lead-to-login";

/** Time for what somebody came for. */
const AFTER_PAGE_MS = 3_000;

/** What is kept is looked at on its own page (docs/decisions/0096-a-start-without-a-signal.md). */
const KEPT_PAGES = {
  activation: "/_task/activation/device",
  devices: "/_default/devices/",
  device: "/_default/devices/$key",
} as const satisfies Record<AnswerKind, keyof typeof Router.routesById>;

/** What comes once the first page is there: what an earlier portal kept goes, the way to the login of whoever is signed out elsewhere, the words for a signal that is gone, as that may be at any moment, a log-out that
 * the server has not heard of, what waits to be sent and its list, and what keeps the answers that come; then what is fetched
 * ahead and needed without a network. Gives back how to end what goes on. */
export function afterPage(router: typeof Router): () => void {
  const over = new AbortController();
  function goesOn<Script>(fetchIt: () => Promise<Script>, work: (script: Script) => () => void) {
    afterwards(fetchIt, (script) => {
      if (!over.signal.aborted) untilOver(over.signal, work(script));
    });
  }
  forgetLegacy();
  untilOver(over.signal, leadToLogin(router));
  import("~/shared/ui/notes/problem-words").catch(() => undefined);
  afterwards(
    () => import("~/shared/session/untold"),
    ({ tellUntold }) => tellUntold(),
  );
  goesOn(
    () => import("~/features/activation/waiting/outbox"),
    ({ watchOutbox }) => watchOutbox(),
  );
  import("~/features/activation/waiting/waiting-forms").catch(() => undefined);
  goesOn(
    () => import("./kept/keep-answers"),
    ({ keepAnswers }) => keepAnswers(router.options.context.queryClient),
  );
  const timer = setTimeout(
    () => whenIdle(() => whenOnline(() => ahead(router, over.signal))),
    AFTER_PAGE_MS,
  );
  untilOver(over.signal, () => clearTimeout(timer));
  return () => over.abort();
}

function untilOver(over: AbortSignal, end: () => void): void {
  over.addEventListener("abort", end, { once: true });
}

/** Now, or with the signal: a sheet that was asked for without one would stay away. */
function whenOnline(work: () => void): void {
  if (navigator.onLine) work();
  else onceOnline(work);
}

function ahead(router: typeof Router, over: AbortSignal): void {
  if (over.aborted) return;
  if (mayPrefetch()) void router.preloadRoute({ to: "/activation" }).catch(() => undefined);
  const first = [router.preloadRoute({ to: "/offline" }), import("./kept/start-from-kept")];
  keep([...first, ...ofKeptPages(router)]);
  if (session().state === "signed-in") return;
  const stop = onSession(() => {
    if (session().state !== "signed-in") return;
    stop();
    whenIdle(() => keep(ofKeptPages(router)));
  });
  untilOver(over, stop);
}

/** Keeps what comes with the page and the worker: those that came, whichever did not. */
function keep(scripts: readonly Promise<unknown>[]): void {
  void Promise.allSettled(scripts)
    .then(() => import("~/shared/kept/worker"))
    .then(({ startWorker }) => startWorker())
    .catch(() => undefined);
}

/** The scripts of the pages that are kept of whoever is signed in, with the layouts round them, and the menus that lead there. */
function ofKeptPages(router: typeof Router): Promise<unknown>[] {
  if (session().state !== "signed-in" || !mayPrefetch()) return [];
  const routes = new Set<AnyRoute>();
  for (const page of Object.values(KEPT_PAGES)) {
    let route: AnyRoute | undefined = router.routesById[page];
    for (; route; route = route.parentRoute) routes.add(route);
  }
  const pages = [...routes].map(async (route) => router.loadRouteChunk(route));
  const menus = [
    import("~/layouts/menus/person-links"),
    import("~/layouts/menus/nav-links"),
    import("~/layouts/menus/mobile-menu"),
  ];
  return [...menus, ...pages];
}
