import { mustSignIn, safeNext } from "~/shared/session/access";
import type { Session } from "~/shared/session/session";
import type { Screen } from "./routes";

export type Elsewhere = { to: string; search?: Record<string, string> } | "not-found";

/** Where a visit is sent instead, or nothing. The server keeps the same rules for the data behind the page. */
export function guard(screen: Screen, now: Session, href: string): Elsewhere | undefined {
  if (screen.access === "login") {
    const login = mustSignIn(now, href);
    if (login) return login;
  }
  if (now.state === "anonymous" || screen.guard === undefined) return undefined;
  const { user } = now;
  switch (screen.guard) {
    case "leave-when-signed-in":
      if (now.state === "expired") return undefined;
      return {
        to: safeNext(new URLSearchParams(href.split("?")[1] ?? "").get("next") ?? undefined),
      };
    case "no-outside-rep-with-business":
      return user.is_outside_rep && now.work?.business ? { to: "/" } : undefined;
    case "not-retired":
      return user.is_retired ? { to: "/" } : undefined; // which says what is open to them
    case "administrators":
      return user.roles.includes("admin") ? undefined : "not-found";
  }
}

/** Whether the page is for the person: it sends them nowhere else, and it does not refuse them. */
export function opens(screen: Screen, now: Session, href: string): boolean {
  return guard(screen, now, href) === undefined && (screen.may?.(now) ?? true);
}
