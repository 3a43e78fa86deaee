import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { problemOf } from "~/shared/api/errors";
import { choosePlan } from "~/shared/plans/queries";
import type { Subscription } from "~/shared/plans/types";
import classes from "./customers.module.css";

/** The same plan again, in one step up to the payment; or another one. */
export function Renew({ subscription }: { subscription: Subscription }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const { device_key, plan_id, state } = subscription;
  const another = { device: [device_key], slide: "plan-type-selector" as const };

  async function renew() {
    setBusy(true);
    try {
      await choosePlan(cache, device_key, plan_id);
      await navigate({ to: "/cart" });
    } catch (cause) {
      // a plan that is sold no more can not be had again: the choice of another one opens
      if (problemOf(cause).code === "plan_missing")
        await navigate({ to: "/subscriptions/plans", search: another });
      else tellProblem(cause);
    } finally {
      setBusy(false);
    }
  }

  return (
    <span className={classes.actions}>
      <Button
        size="md"
        variant={state === "active" ? "default" : "filled"}
        loading={busy}
        aria-label={t`Renew: ${device_key}`}
        onClick={() => void renew()}
      >
        <Trans>Renew</Trans>
      </Button>
      <Link
        to="/subscriptions/plans"
        search={another}
        className={classes.other}
        aria-label={t`Change the plan: ${device_key}`}
      >
        {state === "ended" ? <Trans>Another plan</Trans> : <Trans>Upgrade</Trans>}
      </Link>
    </span>
  );
}
