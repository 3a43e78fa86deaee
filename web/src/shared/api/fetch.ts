import { CONSTANTS } from "~/shared/constants";
import { askedAhead } from "~/shared/session/asked-ahead";
import {
  begin,
  carried,
  channel,
  credential,
  end,
  expire,
  isUnproven,
  type Session,
  type SignedInUser,
  session,
} from "~/shared/session/session";
import { Problem } from "./errors";
import { named } from "./request-names";

/** Refusals after which nobody is asked to sign in over the page (shell spec 4 and 8). */
const LOGS_OUT = ["credentials_changed", "no_drone_profile"];

type Renewed = { access_token: string; refresh_token?: string | null; user: SignedInUser };

/** Sends a request with the present credential; a token that ran out is renewed once. */
export async function authorised(request: Request): Promise<Response> {
  const again = named(request).clone();
  if (!carried()) await prove();
  const answer = await fetch(withCredential(request));
  if (answer.status !== 401 || carried() || session().state !== "signed-in") return answer;
  if (await renew()) return fetch(withCredential(again));
  expire();
  return answer;
}

/** Whoever was recognised without a signal shows the cookie of their sign-in; one that is over is asked for anew. */
export async function prove(): Promise<void> {
  if (isUnproven() && !(await renew())) expire();
}

let renewing: Promise<boolean> | undefined;

/**
 * A new access token by the refresh cookie or, if not remembered, the token in memory. Calls at the same time share one
 * request, and wait for it no longer than any call may take. The request itself is never given up, as the server may have
 * turned the token already: shown again later, the old one looks stolen. What comes late signs in all the same.
 */
export function renew(): Promise<boolean> {
  renewing ??= refresh().finally(() => {
    renewing = undefined;
  });
  const late = new Promise<never>((_, fail) => {
    // A network that reaches nobody never answers.
    AbortSignal.timeout(CONSTANTS.requestTimeout).addEventListener("abort", fail);
  });
  return Promise.race([renewing, late]);
}

/** The renewal that is still waited for, however late it comes. */
export function lateRenewal(): Promise<boolean> | undefined {
  return renewing;
}

async function refresh(): Promise<boolean> {
  const present = session();
  if (present.state === "anonymous" && !isRemembered()) return false;
  const answer = await ((present.state === "anonymous" && askedAhead("renewed")) || ask(present));
  if (isPassed(present)) return session().state === "signed-in";
  if (answer.status >= 500) throw new Problem(answer.status, {});
  if (answer.status !== 200) {
    const { code } = new Problem(answer.status, await answer.json().catch(() => ({})));
    if (LOGS_OUT.includes(code)) end("elsewhere");
    if (code === "identity_mismatch") reloadForIdentity();
    return false;
  }
  sessionStorage.removeItem(RELOADS);
  const held = (await answer.json()) as Renewed;
  begin(held.user, held.access_token, held.refresh_token ?? undefined);
  return true;
}

function ask(present: Session): Promise<Response> {
  const token = present.state === "signed-in" ? present.refreshToken : undefined;
  return fetch("/v1/auth/refresh", {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...(token ? { refresh_token: token } : {}),
      ...(present.state === "anonymous" ? {} : { sub: present.user.sub }),
    }),
  });
}

/** Whether somebody signed out or in while the answer was waited for: it says nothing of them. */
function isPassed(asked: Session): boolean {
  const now = session();
  if ("token" in now) return !("token" in asked) || now.token !== asked.token;
  return now.state === "anonymous" && now !== asked;
}

/** The server's word that this browser holds a refresh cookie, which scripts cannot see (`api/platform/border/cookies.py:HINT`). */
function isRemembered(): boolean {
  return document.cookie.split("; ").includes("turnkey_session=1");
}

const RELOADS = "identity_reloads";
const MOST_RELOADS = 2;

/** The page belongs to somebody else now: loads it anew, at most twice in a row (shell spec 4). */
function reloadForIdentity(): void {
  const reloads = Number(sessionStorage.getItem(RELOADS) ?? 0);
  if (reloads >= MOST_RELOADS) {
    sessionStorage.removeItem(RELOADS);
    end("elsewhere");
    return;
  }
  sessionStorage.setItem(RELOADS, String(reloads + 1));
  window.location.reload();
}

function withCredential(request: Request): Request {
  const secret = credential();
  if (!secret) return request;
  const path = new URL(request.url).pathname;
  if (path.startsWith("/api/")) {
    request.headers.set("X-Access-Token", secret);
    request.headers.set("X-Channel-Type", channel());
  } else {
    request.headers.set("Authorization", `Bearer ${secret}`);
  }
  return request;
}
