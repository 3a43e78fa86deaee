import { Trans, useLingui } from "@lingui/react/macro";
import { shownPhone } from "~/shared/forms/validation";
import { useSession } from "~/shared/session/session";
import { Panel } from "~/shared/ui/screens/panel";
import { type BusinessPartner, useOwnBusiness } from "./queries";
import classes from "./reps.module.css";

/** Whom a buyer may write to and call, with what it is `about` as the subject. Nothing for a rep, or without reps. */
export function AskMyRep({ about }: { about?: string }) {
  const { t } = useLingui();
  const now = useSession();
  const { data, isLoading } = useOwnBusiness();
  if (now.state === "anonymous" || now.user.is_sales_rep) return null;
  if (!isLoading && !(data && hasReps(data))) return null;
  return (
    <Panel className={classes.ask} aria-label={t`Ask my rep`} aria-busy={isLoading}>
      <h2>
        <Trans>Ask my rep</Trans>
      </h2>
      {data ? <Reps of={data} about={about} /> : <div className={classes.awaited} />}
    </Panel>
  );
}

export function hasReps({ insideSalesRep, outsideSalesRep }: BusinessPartner): boolean {
  return insideSalesRep !== null || outsideSalesRep.length > 0;
}

/** The inside rep first. */
export function Reps({ of, about }: { of: BusinessPartner; about?: string }) {
  const subject = about ? `?subject=${encodeURIComponent(about)}` : "";
  const inside = of.insideSalesRep;
  return (
    <ul className={classes.reps}>
      {[...(inside ? [inside] : []), ...of.outsideSalesRep].map((rep) => (
        <li key={rep.id}>
          <span>
            {rep.name} (
            {rep.id === inside?.id ? (
              <Trans>inside sales rep</Trans>
            ) : (
              <Trans>outside sales rep</Trans>
            )}
            )
          </span>
          <a href={`mailto:${rep.email}${subject}`}>{rep.email}</a>
          {rep.phone ? (
            <a href={`tel:${rep.phone.replaceAll(/[^\d+]/g, "")}`}>{shownPhone(rep.phone)}</a>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
