const ASSETS = "assets";
/** As the worker keeps it (`worker/sw.ts`): one page serves every address. */
const PAGE = "/index";

/** Starts the portal's service worker, and keeps what this page was made of; a browser without one goes on without. */
export async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/sw.js");
  const cache = await caches.open(ASSETS);
  const loaded = performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);
  await Promise.allSettled([
    addPage(),
    ...[...new Set(loaded)].map((path) => addMissing(cache, path)),
  ]);
}

/** The worker sees the next one first. */
async function addPage(): Promise<void> {
  const cache = await caches.open("page");
  if (await cache.match(PAGE)) return;
  const page = await fetch("/");
  if (page.ok) await cache.put(PAGE, page);
}

async function addMissing(cache: Cache, path: string): Promise<void> {
  if (!(await cache.match(path))) await cache.add(path);
}
