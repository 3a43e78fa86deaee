import { screenOf } from "~/shared/navigation/routes";
import { mustSignIn } from "~/shared/session/access";
import { carried, onSession, session } from "~/shared/session/session";
import type { router as Router } from "../router";

/**
 * Whoever was signed in and did not log out here is told so at the login, from each page that knows its person. The guards of
 * those that need a sign-in lead there themselves; one that is the same to everybody, as a mailed link's, goes on.
 */
export function leadToLogin(router: Pick<typeof Router, "state" | "navigate">): () => void {
  let before = session();
  return onSession(() => {
    const now = session();
    if (now === before) return;
    before = now;
    if (!("ended" in now) || carried()) return;
    const { href, pathname } = router.state.location;
    const login = mustSignIn(now, href);
    if (screenOf(pathname)?.access === "optional" && login) void router.navigate(login);
  });
}
