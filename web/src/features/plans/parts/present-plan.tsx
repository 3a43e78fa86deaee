import { Trans, useLingui } from "@lingui/react/macro";
import type { Subscription } from "~/shared/plans/types";
import { SUBSCRIPTION_WORDS } from "~/shared/plans/words";
import { Status } from "~/shared/ui/notes/status";
import classes from "../plans.module.css";

/** The plan that a device has, and until when. */
export function PresentPlan({ of }: { of: Subscription }) {
  const { i18n } = useLingui();
  const { tone, words } = SUBSCRIPTION_WORDS[of.state];
  const day = i18n.date(of.ends_at, { dateStyle: "medium" });
  return (
    <p className={classes.chosen}>
      <strong>{of.plan_name}</strong>
      <Status tone={tone}>{i18n._(words)}</Status>
      <span>
        {of.state === "ended" ? <Trans>ended on {day}</Trans> : <Trans>until {day}</Trans>}
      </span>
    </p>
  );
}
