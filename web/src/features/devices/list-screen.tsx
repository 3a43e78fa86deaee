import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeepCsv } from "~/shared/files/keep-csv";
import { readsVisits } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Paged } from "~/shared/ui/lists/paged";
import { StatusTabs } from "~/shared/ui/lists/status-tabs";
import { AsOf } from "~/shared/ui/notes/as-of";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./devices.module.css";
import { Find, type Narrowed } from "./find";
import { exported, myDevicesQuery } from "./queries";

/** Devices: find one by its serial number, or among those that the business has worked on. */
export function DevicesScreen({ startsWith, state }: Narrowed) {
  const now = useSession();
  return (
    <div className={classes.page}>
      <div className={classes.sectionHead}>
        <Heading>
          <Trans>Devices</Trans>
        </Heading>
        {readsVisits(now) ? (
          <Link to="/visits">
            <Trans>Service visits</Trans>
          </Link>
        ) : null}
      </div>
      <Panel>
        <Find key={startsWith} startsWith={startsWith} state={state} />
      </Panel>
      <MyDevices startsWith={startsWith} state={state} />
    </div>
  );
}

function MyDevices({ startsWith, state }: Narrowed) {
  const { t } = useLingui();
  const online = useOnline();
  const inWork = state !== undefined;
  const found = useInfiniteQuery(myDevicesQuery(startsWith, inWork));
  const counts = found.data?.pages[0]?.counts;
  const rows = found.data?.pages.flatMap(({ results }) => results);
  return (
    <section aria-labelledby="my-devices" className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 id="my-devices">
          <Trans>Devices of your business</Trans>
        </h2>
        {online && rows && rows.length > 0 ? (
          <KeepCsv name="devices.csv" ask={(language) => exported(startsWith, inWork, language)} />
        ) : null}
      </div>
      {online && counts !== null ? (
        <StatusTabs
          tabs={[{ tab: "in-work", words: <Trans>In work</Trans>, count: counts?.in_work }]}
          present={state}
          everything={<Trans context="devices">All</Trans>}
          all={counts?.all}
          link={(tab, props) => (
            <Link
              to="/devices"
              search={{ q: startsWith || undefined, state: tab }}
              resetScroll={false}
              {...props}
            />
          )}
        />
      ) : null}
      {rows ? <AsOf at={found.dataUpdatedAt} /> : null}
      <Paged of={found}>
        <DataTable
          label={t`Devices of your business`}
          rows={rows}
          busy={found.isPlaceholderData}
          keyOf={({ device_key }) => device_key}
          empty={
            <EmptyState
              action={
                startsWith || inWork ? (
                  <Link to="/devices">
                    <Trans>Show all devices</Trans>
                  </Link>
                ) : (
                  <Link to="/activation">
                    <Trans>Begin an activation</Trans>
                  </Link>
                )
              }
            >
              {inWork ? (
                <Trans>No device that fits is in work.</Trans>
              ) : startsWith ? (
                <Trans>No device of your business begins with {startsWith}.</Trans>
              ) : (
                <Trans>Devices that you or your colleagues activate or update appear here.</Trans>
              )}
            </EmptyState>
          }
          columns={[
            {
              head: t`Device`,
              as: "code",
              names: true,
              cell: ({ device_key }) => (
                <Link to="/devices/$key" params={{ key: device_key }}>
                  {device_key}
                </Link>
              ),
            },
            { head: t`Last change`, cell: ({ at }) => <Age since={at} /> },
          ]}
        />
      </Paged>
    </section>
  );
}
