import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { keyOf } from "~/shared/api/operation";
import { ShowMore } from "~/shared/ui/lists/paged";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "./firmware.module.css";
import { History } from "./history";
import { PresentRun } from "./present-run";
import { type FirmwareRequest, runsQuery } from "./queries";
import { StartPanel } from "./start-panel";

type FirmwarePanelProps = { wanted: FirmwareRequest; vehicle: string | undefined };

/** A device's firmware: the run that is under way, or a look for a newer version, and what was done before. */
export function FirmwarePanel({ wanted, vehicle }: FirmwarePanelProps) {
  const cache = useQueryClient();
  const found = useInfiniteQuery(runsQuery(wanted));
  const present = found.data?.pages[0]?.present;
  const past = found.data?.pages.flatMap(({ results }) => results).filter((run) => run.ended) ?? [];
  const ofDevice = { params: { query: { device_key: wanted.deviceKey } } };
  const lookAgain = () => {
    // what was waiting before the update is no news after it
    cache.removeQueries({ queryKey: keyOf("get", "/v1/firmware/offers", ofDevice) });
    return Promise.all([
      cache.invalidateQueries({ queryKey: keyOf("get", "/v1/firmware", ofDevice) }),
      cache.invalidateQueries({
        queryKey: keyOf("get", "/v1/devices/{device_key}", {
          params: { path: { device_key: wanted.deviceKey } },
        }),
      }),
      cache.invalidateQueries({ queryKey: keyOf("get", "/v1/iot/logs", ofDevice) }),
    ]);
  };
  const about = { what: <code>{wanted.deviceKey}</code>, more: vehicle };
  const before = (
    <>
      {past.length > 0 ? <History runs={past} /> : null}
      <ShowMore of={found} className={classes.more}>
        <Trans>Show more updates</Trans>
      </ShowMore>
    </>
  );
  return (
    <div className={classes.panel}>
      {found.isPending ? <Skeleton height={120} radius="lg" /> : null}
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {present ? (
        <PresentRun
          key={present.id}
          first={present}
          about={about}
          onEnd={() => void lookAgain()}
          past={before}
        />
      ) : found.isSuccess ? (
        <StartPanel
          wanted={wanted}
          about={about}
          last={past[0]}
          onStart={lookAgain}
          past={before}
        />
      ) : null}
    </div>
  );
}
