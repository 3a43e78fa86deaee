/** What the browser keeps, one key per user (shell spec 9, rulings "Screens"). */
export type StoredThing =
  | "activation_state"
  | "activation_outbox"
  | "advanced_flow"
  | "recent_product_searches"
  | "recent_vehicle_searches"
  | "chosen_vehicle"
  | "search_limit"
  | "checkout_confirm"
  | "wrong_site";

/** These go with a sign-in, however it ends; the rest is left. */
const GONE_AT_END = ["recent_vehicle_searches", "chosen_vehicle", "activation_state"] as const;

export function storageKey(thing: StoredThing, userId: string): string {
  return `${thing}:${userId}`;
}

/** Logout takes what waits to be sent along; a sign-in that ended otherwise leaves it, to be sent after the next one. */
export function forgetAtLogout(): void {
  forget([...GONE_AT_END, "activation_outbox"]);
}

export function forgetAtEnd(): void {
  forget(GONE_AT_END);
}

function forget(things: readonly StoredThing[]): void {
  for (const key of Object.keys(localStorage)) {
    if (things.some((thing) => key === thing || key.startsWith(`${thing}:`))) {
      localStorage.removeItem(key);
    }
  }
}

const ANALYTICS = "allow-analytics";

/** Whether visits may be counted; undefined until somebody chose, and again a day later. */
export function analyticsAllowed(cookies: string = document.cookie): boolean | undefined {
  const held = cookies.split("; ").find((pair) => pair.startsWith(`${ANALYTICS}=`));
  if (held === undefined) return undefined;
  return held.slice(ANALYTICS.length + 1) === "true";
}

export function allowAnalytics(allowed: boolean, maxAgeSeconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${ANALYTICS}=${allowed}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax`;
}
