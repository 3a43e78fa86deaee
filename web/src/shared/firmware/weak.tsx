import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useFields } from "~/shared/forms/fields";
import { BOUNDS } from "~/shared/forms/validation";
import classes from "./run.module.css";
import type { Weakness } from "./types";

const SHORTEST_REASON = 3;

/** Each weak reading beside what an update needs. */
export function WeakReadings({ found }: { found: readonly Weakness[] }) {
  return (
    <ul className={classes.readings}>
      {found.map(({ what, reading, least }) => (
        <li key={what}>
          {what === "battery" ? (
            <Trans>
              The backup battery has {reading} V; an update needs at least {least} V.
            </Trans>
          ) : (
            <Trans>
              The signal is {reading} dBm; an update needs at least {least} dBm.
            </Trans>
          )}
        </li>
      ))}
    </ul>
  );
}

type OverruleProps = {
  may: boolean;
  free: boolean;
  onOverrule: (reason: string) => void;
  /** Why it did not happen last. */
  notDone?: ReactNode;
};

/** An owner takes it on themselves, with a reason that is kept; everybody else learns who could. */
export function Overrule({ may, free, onOverrule, notDone }: OverruleProps) {
  const { t } = useLingui();
  const longEnough = (text: string) => BOUNDS.min_length(text.trim(), SHORTEST_REASON);
  const form = useFields({ reason: { rules: ["required", longEnough] } });

  if (!may)
    return (
      <p>
        <Trans>An owner of your business can let it be updated all the same.</Trans>
      </p>
    );
  return (
    <form
      className={classes.overrule}
      onSubmit={form.submit(({ reason }) => onOverrule(reason.trim()))}
      noValidate
    >
      <TextInput
        size="md"
        label={t`Reason to update it all the same`}
        description={t`If the device loses its power during the update, it may never start again. Your reason is kept.`}
        maxLength={500}
        {...form.field("reason")}
      />
      <Button type="submit" size="md" variant="default" disabled={!free}>
        <Trans>Update it all the same</Trans>
      </Button>
      {notDone}
    </form>
  );
}
