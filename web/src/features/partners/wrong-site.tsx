import { useState } from "react";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { storageKey } from "~/shared/storage";
import { fetched } from "~/shared/ui/fetched";

const DO_NOT_SHOW = "1";

const WrongSiteDialog = fetched(() => import("./wrong-site-dialog"));

/** Asks whether a business of the other country is on the right site (shell spec 4). */
export function WrongSite() {
  const now = useSession();
  const site = useSite();
  const [stayed, setStayed] = useState(false);
  if (now.state !== "signed-in" || stayed || !site?.other) return null;
  const key = storageKey("wrong_site", now.user.id);
  if (!workOf(now)?.business?.is_wrong_site || localStorage.getItem(key) === DO_NOT_SHOW) {
    return null;
  }

  function stay(never: boolean) {
    if (never) localStorage.setItem(key, DO_NOT_SHOW);
    setStayed(true);
  }

  return <WrongSiteDialog other={site.other} onStay={stay} />;
}
