import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { onlineManager, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { KeepCsv } from "~/shared/files/keep-csv";
import { useFields } from "~/shared/forms/fields";
import { digitsOnly, serialShape } from "~/shared/forms/validation";
import { Age } from "~/shared/time/age";
import { AsOf } from "~/shared/ui/as-of";
import { DataTable } from "~/shared/ui/data-table";
import { EmptyState } from "~/shared/ui/empty-state";
import { Heading } from "~/shared/ui/heading";
import { useOnline } from "~/shared/ui/offline-bar";
import { Paged } from "~/shared/ui/paged";
import { Panel } from "~/shared/ui/panel";
import { StatusTabs } from "~/shared/ui/status-tabs";
import classes from "./devices.module.css";
import { keepProof } from "./proofs";
import { exported, myDevicesQuery } from "./queries";

type Narrowed = { startsWith: string; state?: "in-work" | undefined };

/** The fewest signs of a serial number. */
const SHORTEST = 4;
const DIGITS = /^[0-9]{5}$/;

/** Devices: find one by its serial number, or among those that the business has worked on. */
export function DevicesScreen({ startsWith, state }: Narrowed) {
  return (
    <div className={classes.page}>
      <div className={classes.sectionHead}>
        <Heading>
          <Trans>Devices</Trans>
        </Heading>
        <Link to="/visits">
          <Trans>Service visits</Trans>
        </Link>
      </div>
      <Panel>
        <Find key={startsWith} startsWith={startsWith} state={state} />
      </Panel>
      <MyDevices startsWith={startsWith} state={state} />
    </div>
  );
}

function Find({ startsWith, state }: Narrowed) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const fiveOrNone = (text: string) =>
    text === "" || DIGITS.test(text) ? undefined : t`Five digits`;
  const form = useFields(
    {
      serial: { rules: [], initial: startsWith, shape: serialShape },
      digits: { rules: [fiveOrNone], shape: digitsOnly },
    },
    { leavable: true },
  );

  async function find({ serial, digits }: typeof form.texts) {
    if (digits) keepProof(serial, digits);
    if (serial.length >= SHORTEST && (digits || (await isWhole(serial))))
      await navigate({ to: "/devices/$key", params: { key: serial } });
    else await navigate({ to: "/devices", search: { q: serial || undefined, state } });
  }

  /** A serial number has no shape of its own: it is whole unless others of the list begin with it. */
  async function isWhole(serial: string): Promise<boolean> {
    if (!onlineManager.isOnline()) return false;
    const found = await cache.fetchInfiniteQuery(myDevicesQuery(serial)).catch(() => undefined);
    const rows = found?.pages[0]?.results;
    return rows?.every(({ device_key }) => device_key === serial) ?? false;
  }

  return (
    <form className={classes.find} onSubmit={form.submit(find)} noValidate>
      <TextInput
        size="md"
        label={t`Serial number`}
        description={t`A whole one opens the device; the beginning of one searches your devices.`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        {...form.field("serial")}
      />
      <TextInput
        size="md"
        label={t`Last 5 digits of the SIM (ICCID), optional`}
        description={t`Needed only for a device that belongs to no business yet.`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        {...form.field("digits")}
      />
      <Button type="submit" size="md">
        <Trans>Find</Trans>
      </Button>
    </form>
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
