import { screenOf } from "~/shared/navigation/routes";
import { mustSignIn } from "~/shared/session/access";
import { carried, onSession, session } from "~/shared/session/session";
import type { router as Router } from "./router";

/**
 * Whoever was signed in and did not log out here is told so at the login, from whatever page. The guards of those that need a
 * sign-in lead there themselves; a guest's link goes on.
 */
export function leadToLogin(router: Pick<typeof Router, "state" | "navigate">): () => void {
  let before = session();
  return onSession(() => {
    const now = session();
    if (now === before) return;
    before = now;
    if (!("ended" in now) || carried()) return;
    const { href, pathname } = router.state.location;
    const login = screenOf(pathname)?.access === "login" ? undefined : mustSignIn(now, href);
    if (login) void router.navigate(login);
  });
}
