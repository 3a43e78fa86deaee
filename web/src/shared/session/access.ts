import { bare, isKnown } from "~/shared/navigation/routes";
import type { Session } from "./session";

/** Pages that are never a place to come back to (shell spec 2, "Guard behaviour"). */
const NEVER_NEXT = new Set(["/", "/login", "/logout"]);

/** What `next` carries for a page: its full path and query, or nothing for home, login and logout. */
export function nextFor(href: string): string | undefined {
  const path = href.split(/[?#]/, 1)[0] ?? "/";
  return NEVER_NEXT.has(bare(path)) ? undefined : href;
}

/** Where `next` may lead: one leading slash, no backslash, no control character, a screen of ours; otherwise home. */
export function safeNext(next: string | undefined): string {
  if (!next || next.length > 2000 || !/^\/(?!\/)/.test(next)) return "/";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\\\u0000-\u001f\u007f]/.test(next)) return "/";
  return isKnown(next) ? (nextFor(next) ?? "/") : "/";
}

/** The guard of pages that need a sign-in: where to go instead, or nothing. */
export function mustSignIn(
  now: Session,
  href: string,
): { to: "/login"; search: { next?: string; session?: string } } | undefined {
  if (now.state !== "anonymous") return undefined;
  const next = nextFor(href);
  return {
    to: "/login",
    search: {
      ...(next ? { next } : {}),
      ...(now.ended ? { session: now.ended === "mfa-off" ? "mfa" : "true" } : {}),
    },
  };
}
