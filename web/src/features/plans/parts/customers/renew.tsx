import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRenewal } from "~/shared/plans/renewal";
import type { Subscription } from "~/shared/plans/types";
import { RowActions } from "~/shared/ui/lists/row-actions";
import classes from "./customers.module.css";

/** The same plan again, in one step up to the payment; or another one. For one that is suspended, what is owed for it. */
export function Renew({ subscription }: { subscription: Subscription }) {
  const { t } = useLingui();
  const { busy, renew } = useRenewal();
  const { device_key, plan_id, state, is_highest, purchase_id: uuid } = subscription;
  const another = { device: [device_key], slide: "plan-type-selector" as const };

  if (state === "suspended" && uuid)
    return (
      <Link
        to="/cart/checkout/subscriptions"
        search={{ uuid }}
        className={classes.other}
        aria-label={t`Pay what is owed: ${device_key}`}
      >
        <Trans>Pay what is owed</Trans>
      </Link>
    );
  return (
    <RowActions>
      <Button
        size="md"
        variant={state === "active" ? "default" : "filled"}
        loading={busy}
        aria-label={t`Renew: ${device_key}`}
        onClick={() => void renew(device_key, plan_id)}
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
    </RowActions>
  );
}
