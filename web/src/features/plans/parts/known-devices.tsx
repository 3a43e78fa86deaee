import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { subscriptionsQuery } from "~/shared/plans/queries";
import { SUBSCRIPTION_WORDS } from "~/shared/plans/words";
import { ShowMore } from "~/shared/ui/lists/paged";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import classes from "./devices-slide.module.css";

type KnownDevicesProps = {
  chosen: readonly string[];
  full: boolean;
  onAdd: (deviceKey: string) => void;
};

/** The devices of the business that have or had a plan, to be chosen from. */
export function KnownDevices({ chosen, full, onAdd }: KnownDevicesProps) {
  const { t, i18n } = useLingui();
  const found = useInfiniteQuery(subscriptionsQuery("", undefined));
  const devices = found.data?.pages.flatMap(({ results }) => results) ?? [];
  if (found.isSuccess && devices.length === 0) return null;
  return (
    <section aria-labelledby="known-devices" className={classes.known}>
      <h2 id="known-devices">
        <Trans>Devices of your customers</Trans>
      </h2>
      {found.isPending ? <Skeleton height={160} radius="lg" /> : null}
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      <ul>
        {devices.map(({ id, device_key, plan_name, state }) => (
          <li key={id}>
            <span className={classes.key}>{device_key}</span>
            <span>{plan_name}</span>
            <Status tone={SUBSCRIPTION_WORDS[state].tone}>
              {i18n._(SUBSCRIPTION_WORDS[state].words)}
            </Status>
            <Button
              variant="default"
              size="md"
              disabled={full || chosen.includes(device_key)}
              aria-label={t`Add: ${device_key}`}
              onClick={() => onAdd(device_key)}
            >
              {chosen.includes(device_key) ? <Trans>Chosen</Trans> : <Trans>Add</Trans>}
            </Button>
          </li>
        ))}
      </ul>
      <ShowMore of={found} />
    </section>
  );
}
