import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { useSession, workOf } from "~/shared/session/session";
import { clearBusiness } from "./choose";
import classes from "./select-business.module.css";

/** Always in view while a rep works for a business, with the way out. */
export function ActingBanner() {
  const now = useSession();
  const [leaving, setLeaving] = useState(false);
  const work = workOf(now);
  if (now.state !== "signed-in" || !now.user.is_sales_rep || !work?.business) return null;
  const { company_name, code } = work.business;
  const as = work.impersonated;

  async function exit() {
    setLeaving(true);
    await clearBusiness().catch(tellProblem);
    setLeaving(false);
  }

  return (
    <aside className={classes.banner} aria-label={company_name}>
      <span>
        {as ? (
          <Trans>
            Acting for {company_name} ({code}) as {as.first_name} {as.last_name}
          </Trans>
        ) : (
          <Trans>
            Working for {company_name} ({code})
          </Trans>
        )}
      </span>
      <button type="button" onClick={exit} disabled={leaving}>
        <Trans>Exit</Trans>
      </button>
    </aside>
  );
}
