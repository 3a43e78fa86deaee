import { clearAlerts } from "~/shared/alerts/alerts";
import { visited } from "~/shared/navigation/back";
import { onSession, personOf, session, workOf } from "~/shared/session/session";
import { leavePage } from "~/shared/ui/screens/heading";
import type { router as Router } from "../router";
import { askAnew, forgetPerson } from "./forget-person";

/** What follows from a change of page or of person: messages go, what the last person saw goes, guards are asked again. */
export function watchNavigation(router: typeof Router): void {
  visited(router.state.location);
  router.subscribe("onBeforeNavigate", ({ pathChanged }) => {
    leavePage();
    if (pathChanged) clearAlerts();
  });
  router.subscribe("onResolved", ({ toLocation }) => visited(toLocation));
  const { queryClient } = router.options.context;
  let before = standing();
  let last = personOf();
  onSession(() => {
    const now = standing();
    if (now === before) return;
    before = now;
    const gone = last !== undefined && last !== personOf();
    last = personOf();
    if (gone) forgetPerson(queryClient);
    void router.invalidate().then(() => (gone ? askAnew(queryClient) : undefined));
  });
}

/** What the guards look at. */
function standing(): string {
  const now = session();
  return `${now.state} ${personOf() ?? ""} ${workOf(now)?.business?.code ?? ""}`;
}
