import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { handOn } from "~/shared/ui/hand-on";
import { EmptyPart } from "~/shared/ui/lists/empty-state";
import { ShowMore } from "~/shared/ui/lists/paged";
import { NotKept } from "~/shared/ui/notes/as-of";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import classes from "./devices.module.css";
import { type LogEntry, logsQuery } from "./queries";
import { readings } from "./readings";
import { CONFIRMED_WORDS, LOG_WORDS } from "./words";

/** What the device told, newest first. */
export function Timeline({ deviceKey, digits }: { deviceKey: string; digits: string | undefined }) {
  const found = useInfiniteQuery(logsQuery(deviceKey, digits));
  const entries = found.data?.pages.flatMap(({ results }) => results) ?? [];
  const isEmpty = found.isSuccess && entries.length === 0;
  const refresh = (
    <Button
      ref={handOn}
      variant="subtle"
      size="md"
      loading={found.isRefetching}
      onClick={() => void found.refetch()}
    >
      <Trans>Refresh</Trans>
    </Button>
  );
  return (
    <section aria-labelledby="timeline" className={classes.section}>
      <header className={classes.sectionHead}>
        <h2 id="timeline">
          <Trans>What the device reported</Trans>
        </h2>
        {isEmpty ? null : refresh}
      </header>
      {found.isPending ? (
        found.isPaused ? (
          <NotKept />
        ) : (
          <Skeleton height={160} radius="lg" />
        )
      ) : null}
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {isEmpty ? (
        <EmptyPart none={<Trans>Nothing has been reported yet.</Trans>} action={refresh} />
      ) : null}
      <ol className={classes.timeline}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      <ShowMore of={found} className={classes.more}>
        <Trans>Show older entries</Trans>
      </ShowMore>
    </section>
  );
}

function Entry({ entry }: { entry: LogEntry }) {
  const { i18n } = useLingui();
  const type = LOG_WORDS[entry.type];
  const confirmed = entry.command ? CONFIRMED_WORDS[entry.command] : undefined;
  const shown = readings(entry);
  return (
    <article className={classes.entry}>
      <header className={classes.runHead}>
        <time dateTime={entry.timestamp} className={classes.soft}>
          {i18n.date(entry.timestamp, { dateStyle: "medium", timeStyle: "medium" })}
        </time>
        <strong>{type ? i18n._(type) : entry.type}</strong>
        {entry.command ? (
          <Status tone={entry.ok ? "ok" : "fail"}>
            {confirmed ? i18n._(confirmed) : entry.command}
            {entry.ok ? null : (
              <>
                {" "}
                <Trans>(failed)</Trans>
              </>
            )}
          </Status>
        ) : null}
      </header>
      {shown.length > 0 ? (
        <dl className={classes.readings}>
          {shown.map(({ name, value }) => (
            <div key={name.id}>
              <dt>{i18n._(name)}</dt>
              <dd>{typeof value === "string" ? value : i18n._(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </article>
  );
}
