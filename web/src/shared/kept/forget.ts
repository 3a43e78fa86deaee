/** Vehicles and guides. */
export const CACHE = "kept-reading";
/** What the server answered last (`answers.ts`). */
export const ANSWERS = "kept-answers";

/** With the sign-in goes what was kept under it. A store that is broken holds up no sign-out. */
export async function forgetKept(): Promise<void> {
  if ("caches" in globalThis)
    await Promise.allSettled([CACHE, ANSWERS].map(async (name) => caches.delete(name)));
}
