export const CACHE = "kept-reading";

/** With the sign-in goes what was kept under it. */
export async function forgetKept(): Promise<void> {
  if ("caches" in globalThis) await caches.delete(CACHE);
}
