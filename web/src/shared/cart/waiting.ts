/** An article and how many of it. `name` is for messages only. */
export type Pieces = { variantId: string; quantity: number; name: string };

const KEY = "waiting_for_cart";

/** Kept in this tab until its person has signed in, or has chosen a business. */
export function keepWaiting(lines: readonly Pieces[]): void {
  sessionStorage.setItem(KEY, JSON.stringify(lines));
}

export function isWaiting(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

/** What waits, once. */
export function takeWaiting(): Pieces[] {
  const held = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!held) return [];
  try {
    const lines: unknown = JSON.parse(held);
    return Array.isArray(lines) ? lines.filter(isPieces) : [];
  } catch {
    return [];
  }
}

function isPieces(one: unknown): one is Pieces {
  const { variantId, quantity, name } = (one ?? {}) as Partial<Pieces>;
  return typeof variantId === "string" && Number.isInteger(quantity) && typeof name === "string";
}
