import { personOf } from "~/shared/session/session";
import type { VehicleKey } from "~/shared/vehicles/address";

/** An article, how many of it, and for which vehicle. `name` is for messages only. */
export type Pieces = {
  variantId: string;
  quantity: number;
  name: string;
  vehicle?: VehicleKey | undefined;
};

const KEY = "waiting_for_cart";

/** Kept in this tab until its person has signed in, or has chosen a business. A visitor's waits for whoever signs in. */
export function keepWaiting(lines: readonly Pieces[]): void {
  sessionStorage.setItem(KEY, JSON.stringify({ whose: personOf(), lines }));
}

export function isWaiting(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

/** What waits, once; nothing of what somebody else wanted. */
export function takeWaiting(): Pieces[] {
  const held = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!held) return [];
  try {
    const { whose, lines } = JSON.parse(held) as { whose?: unknown; lines?: unknown };
    const isTheirs = whose === undefined || whose === personOf();
    return isTheirs && Array.isArray(lines) ? lines.filter(isPieces) : [];
  } catch {
    return [];
  }
}

function isPieces(one: unknown): one is Pieces {
  const { variantId, quantity, name } = (one ?? {}) as Partial<Pieces>;
  return typeof variantId === "string" && Number.isInteger(quantity) && typeof name === "string";
}
