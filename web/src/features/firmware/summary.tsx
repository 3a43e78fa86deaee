import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { STATE_WORDS } from "~/shared/firmware/words";
import { Age } from "~/shared/time/age";
import { NotKept } from "~/shared/ui/notes/as-of";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import classes from "./firmware.module.css";
import { type FirmwareRequest, runsQuery } from "./queries";

/** How a device's firmware stands, and the way to its update. */
export function FirmwareSummary({ wanted }: { wanted: FirmwareRequest }) {
  const { i18n } = useLingui();
  const found = useInfiniteQuery(runsQuery(wanted));
  const present = found.data?.pages[0]?.present;
  const last = found.data?.pages[0]?.results.find((run) => run.ended);
  const run = present ?? last;
  const words = run && STATE_WORDS[run.state];
  if (found.isPending) return found.isPaused ? <NotKept /> : <Skeleton height={48} />;
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  return (
    <div className={classes.summary}>
      {failure}
      {run ? (
        <p className={classes.last}>
          <Status tone={words?.tone ?? "wait"}>{words ? i18n._(words.words) : run.state}</Status>
          {present ? null : (
            <Trans>
              Last update <Age since={run.updated_at} />
            </Trans>
          )}
        </p>
      ) : (
        <p className={classes.soft}>
          <Trans>Not updated from here yet.</Trans>
        </p>
      )}
      <Button
        size="md"
        renderRoot={(props) => (
          <Link to="/devices/$key/firmware" params={{ key: wanted.deviceKey }} {...props} />
        )}
      >
        {present ? <Trans>Follow the update</Trans> : <Trans>Update the firmware</Trans>}
      </Button>
    </div>
  );
}
