import { session } from "~/shared/session/session";
import { mayPrefetch, whenIdle } from "./prefetch";
import type { router as Router } from "./router";

/** Time for what somebody came for. */
const AFTER_PAGE_MS = 3_000;

/** Their pages can be looked at without a signal (docs/decisions/0096-a-start-without-a-signal.md). */
const KEPT_PAGES = [
  "/_task/activation/device",
  "/_default/devices/",
  "/_default/devices/$key",
] as const;

/** What comes once the first page is there: the words for a signal that is gone, what waits to be sent and its list, as that
 *  may be at any moment, and what keeps the answers that come; then what is fetched ahead and needed without a network. */
export function afterPage(router: typeof Router): void {
  import("~/shared/ui/problem-words").catch(() => undefined);
  import("~/features/activation/outbox").then(
    ({ watchOutbox }) => watchOutbox(),
    () => undefined, // what waits can be sent by a tap
  );
  import("~/features/activation/waiting-forms").catch(() => undefined);
  import("./keep-answers").then(
    ({ keepAnswers }) => keepAnswers(router.options.context.queryClient),
    () => undefined, // nothing is kept this time
  );
  setTimeout(() => whenIdle(() => whenOnline(() => ahead(router))), AFTER_PAGE_MS);
}

/** Now, or with the signal: a sheet that was asked for without one would stay away. */
function whenOnline(work: () => void): void {
  if (navigator.onLine) work();
  else window.addEventListener("online", work, { once: true });
}

function ahead(router: typeof Router): void {
  if (mayPrefetch()) void router.preloadRoute({ to: "/activation" }).catch(() => undefined);
  void keep(router).catch(() => undefined);
}

/** The page of what was kept, the scripts of the pages that are kept of, what starts from it, the links that lead there, and
 *  the worker: it keeps those that came, whichever did not. */
async function keep(router: typeof Router): Promise<void> {
  const scripts: Promise<unknown>[] = [router.preloadRoute({ to: "/offline" })];
  if (session().state === "signed-in" && mayPrefetch())
    scripts.push(
      import("./start-from-kept"),
      import("~/layouts/person-links"),
      ...KEPT_PAGES.map((page) => loaded(router, page)),
    );
  await Promise.allSettled(scripts);
  const { startWorker } = await import("~/shared/kept/worker");
  await startWorker();
}

async function loaded(router: typeof Router, page: (typeof KEPT_PAGES)[number]): Promise<void> {
  await router.loadRouteChunk(router.routesById[page]);
}
