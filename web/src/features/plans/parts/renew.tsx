import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { quotePlans } from "~/shared/plans/calls";
import { tellRefusal } from "~/shared/plans/refused";
import type { Subscription } from "~/shared/plans/types";
import classes from "./customers.module.css";

/** The same plan again, in one step up to the payment; or another one. */
export function Renew({ subscription }: { subscription: Subscription }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { busy, send } = useSend({ alert: tellRefusal });
  const { device_key, plan_id, state, is_highest } = subscription;
  const another = { device: [device_key], slide: "plan-type-selector" as const };

  async function renew() {
    const uuid = await quotePlans([{ device_key, plan_id }]);
    await navigate({ to: "/cart/checkout/subscriptions", search: { uuid } });
  }

  return (
    <span className={classes.actions}>
      <Button
        size="md"
        variant={state === "active" ? "default" : "filled"}
        loading={busy}
        aria-label={t`Renew: ${device_key}`}
        onClick={() => void send(renew)}
      >
        <Trans>Renew</Trans>
      </Button>
      {state !== "ended" && is_highest ? null : (
        <Link
          to="/subscriptions/plans"
          search={another}
          className={classes.other}
          aria-label={
            state === "ended" ? t`Another plan: ${device_key}` : t`Upgrade: ${device_key}`
          }
        >
          {state === "ended" ? <Trans>Another plan</Trans> : <Trans>Upgrade</Trans>}
        </Link>
      )}
    </span>
  );
}
