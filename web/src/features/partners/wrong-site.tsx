import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { storageKey } from "~/shared/storage";
import { storeOf } from "~/shared/store";
import { fetched } from "~/shared/ui/fetched";

const DO_NOT_SHOW = "1";

const WrongSiteDialog = fetched(() => import("./wrong-site-dialog"));

/** Who has chosen to stay, as far as this load of the page: every layout asks, and the answer holds for all of them. */
const stayed = storeOf<string | undefined>(undefined);

/** Asks whether a business of the other country is on the right site (shell spec 4). */
export function WrongSite() {
  const now = useSession();
  const site = useSite();
  const who = stayed.use();
  if (now.state !== "signed-in" || who === now.user.id || !site?.other) return null;
  const { id } = now.user;
  const key = storageKey("wrong_site", id);
  if (!workOf(now)?.business?.is_wrong_site || localStorage.getItem(key) === DO_NOT_SHOW) {
    return null;
  }

  function stay(never: boolean) {
    if (never) localStorage.setItem(key, DO_NOT_SHOW);
    stayed.set(id);
  }

  return <WrongSiteDialog other={site.other} onStay={stay} />;
}
