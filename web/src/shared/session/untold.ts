import { CONSTANTS } from "~/shared/constants";
import { session } from "./session";

/** The hint of the refresh cookie (`api/platform/border/cookies.py:HINT`) while the server has not heard that its person left. */
const LEFT = "turnkey_session=0";
/** As long as the cookie that scripts cannot see may live (promise 29). */
const LEFT_SECONDS = 30 * 24 * 3600;

/** Of a sign-in that went with its tab: held by nobody else. */
let token: string | undefined;
let telling: Promise<void> | undefined;

/**
 * The server is out of reach: nothing renews the sign-in of whoever leaves, and the server hears of it as soon as it can be
 * reached. Whoever signs in next has a cookie of their own, and its hint takes the place of this one.
 */
export function keepUntold(): void {
  const now = session();
  if (now.state === "signed-in" && now.refreshToken) token = now.refreshToken;
  else if (holds("turnkey_session=1")) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `${LEFT}; Max-Age=${LEFT_SECONDS}; Path=/; SameSite=Strict`;
  }
  window.addEventListener("online", tellUntold);
}

/** Ends on the server what was left without it. Several at the same time are one. */
export function tellUntold(): Promise<void> {
  telling ??= tellNow().finally(() => {
    telling = undefined;
  });
  return telling;
}

async function tellNow(): Promise<void> {
  if (token && (await told({ refresh_token: token }))) token = undefined;
  if (holds(LEFT)) await told({});
}

/** Its answer takes the cookie along. */
function told(body: { refresh_token?: string }): Promise<boolean> {
  return fetch("/v1/auth/sign-out", {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CONSTANTS.requestTimeout),
  }).then(
    ({ ok }) => ok,
    () => false, // the next start, sign-in or signal tries again
  );
}

function holds(pair: string): boolean {
  return document.cookie.split("; ").includes(pair);
}
