/** Vehicles and guides. */
export const CACHE = "kept-reading";
/** What the server answered last (`answers.ts`). */
export const ANSWERS = "kept-answers";

/** With the sign-in goes what was kept under it. */
export async function forgetKept(): Promise<void> {
  if ("caches" in globalThis)
    await Promise.all([CACHE, ANSWERS].map((name) => caches.delete(name)));
}
