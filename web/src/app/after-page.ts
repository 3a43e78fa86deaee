import { mayPrefetch, whenIdle } from "./prefetch";
import type { router as Router } from "./router";

/** Time for what somebody came for. */
const AFTER_PAGE_MS = 3_000;

/** What comes once the first page is there: what waits to be sent and its list, as the signal may be gone at any moment; then
 *  what is fetched ahead and needed without a network. */
export function afterPage(router: typeof Router): void {
  import("~/features/activation/outbox").then(
    ({ watchOutbox }) => watchOutbox(),
    () => undefined, // what waits can be sent by a tap
  );
  import("~/features/activation/waiting-forms").catch(() => undefined);
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

/** The page of what was kept, and the worker. */
async function keep(router: typeof Router): Promise<void> {
  await router.preloadRoute({ to: "/offline" });
  const { startWorker } = await import("~/shared/kept/worker");
  await startWorker();
}
