import { Trans } from "@lingui/react/macro";
import { useSend } from "~/shared/api/send";
import { useSession, workOf } from "~/shared/session/session";
import { clearBusiness } from "./choose";
import classes from "./select-business.module.css";

/** Always in view while a rep works for a business, with the way out. */
export function ActingBanner() {
  const now = useSession();
  const { busy: leaving, send } = useSend({ alert: true });
  const work = workOf(now);
  if (now.state !== "signed-in" || !now.user.is_sales_rep || !work?.business) return null;
  const { company_name, code } = work.business;
  const as = work.impersonated;

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
      <button type="button" onClick={() => void send(clearBusiness, code)} disabled={leaving}>
        <Trans>Exit</Trans>
      </button>
    </aside>
  );
}
