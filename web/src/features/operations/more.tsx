import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Age } from "~/shared/time/age";
import { type Column, DataTable } from "~/shared/ui/lists/data-table";
import { Status } from "~/shared/ui/notes/status";
import classes from "./operations.module.css";
import type { Overview } from "./queries";
import { stateInWords } from "./runs/state";
import { inWords, KIND_WORDS, REPAIR_WORDS, SYSTEM_WORDS } from "./words";

type TitledProps<Row> = {
  label: string;
  /** What can be done about them. */
  said?: string;
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string | number;
  columns: readonly Column<Row>[];
};

/** A table under its title; neither where it has no rows. */
export function Titled<Row>(props: TitledProps<Row>) {
  if (props.rows?.length === 0) return null;
  return (
    <div className={classes.section}>
      <h2>{props.label}</h2>
      {props.said ? <p>{props.said}</p> : null}
      <DataTable {...props} />
    </div>
  );
}

/** How many runs of each kind stand where. */
export function Tallies({ tallies }: { tallies: Overview["tallies"] }) {
  const { t, i18n } = useLingui();
  return (
    <Titled
      label={t`By kind and state`}
      rows={tallies}
      keyOf={({ kind, state, is_open }) => `${kind} ${state} ${is_open}`}
      columns={[
        { head: t`Kind`, cell: ({ kind }) => i18n._(KIND_WORDS[kind]) },
        {
          head: t`State`,
          cell: ({ kind, state, is_open }) =>
            is_open ? (
              <Link
                to="/operations"
                search={({ payouts, differences }) => ({ payouts, differences, kind, state })}
              >
                {stateInWords(i18n, kind, state)}
              </Link>
            ) : (
              <>
                {stateInWords(i18n, kind, state)}
                <small>
                  <Trans>ended within a day</Trans>
                </small>
              </>
            ),
        },
        { head: t`Runs`, as: "figure", cell: ({ count }) => i18n.number(count) },
      ]}
    />
  );
}

export function Held({ orphans }: { orphans: Overview["orphans"] }) {
  const { t, i18n } = useLingui();
  return (
    <Titled
      label={t`Devices held by no run`}
      rows={orphans}
      keyOf={({ id }) => id}
      columns={[
        { head: t`Device`, as: "code", names: true, cell: ({ device_key }) => device_key },
        {
          head: t`Run`,
          cell: ({ kind, flow_id }) => (
            <>
              {inWords(i18n, KIND_WORDS, kind)}
              <small>{flow_id}</small>
            </>
          ),
        },
        { head: t`Since`, cell: ({ created_at }) => <Age since={created_at} /> },
      ]}
    />
  );
}

export function NotDelivered({ logs }: { logs: Overview["undelivered"] }) {
  const { t } = useLingui();
  return (
    <Titled
      label={t`Device logs not delivered`}
      rows={logs}
      keyOf={({ id }) => id}
      columns={[
        { head: t`Device`, as: "code", names: true, cell: ({ device_key }) => device_key },
        {
          head: t`Log`,
          cell: ({ type, id }) => (
            <>
              {type}
              <small>{id}</small>
            </>
          ),
        },
        { head: t`Received`, cell: ({ received_at }) => <Age since={received_at} /> },
      ]}
    />
  );
}

export function ThirdParties({ parties }: { parties: Overview["third_parties"] }) {
  const { t, i18n } = useLingui();
  return (
    <Titled
      label={t`Outside systems`}
      rows={parties}
      keyOf={({ system, process }) => `${system} ${process}`}
      columns={[
        {
          head: t`System`,
          names: true,
          cell: ({ system, process }) => (
            <>
              {inWords(i18n, SYSTEM_WORDS, system)}
              <small>{process}</small>
            </>
          ),
        },
        {
          head: t`Answers`,
          cell: ({ well }) =>
            well ? (
              <Status tone="ok">
                <Trans>yes</Trans>
              </Status>
            ) : (
              <Status tone="fail">
                <Trans>no</Trans>
              </Status>
            ),
        },
        { head: t`Calls`, as: "figure", cell: ({ calls }) => i18n.number(calls) },
        { head: t`Failures`, as: "figure", cell: ({ failures }) => i18n.number(failures) },
        {
          head: t`Last failure`,
          cell: ({ last_failed_at, reason }) => (
            <>
              {last_failed_at ? <Age since={last_failed_at} /> : "–"}
              {reason ? <small lang="en">{reason}</small> : null}
            </>
          ),
        },
      ]}
    />
  );
}

export function Repaired({ repaired }: { repaired: Overview["repaired"] }) {
  const { t, i18n } = useLingui();
  return (
    <Titled
      label={t`Repaired within a day`}
      rows={Object.entries(repaired)}
      keyOf={([repair]) => repair}
      columns={[
        {
          head: t`Repair`,
          cell: ([repair]) => inWords(i18n, REPAIR_WORDS, repair),
        },
        { head: t`How often`, as: "figure", cell: ([, count]) => i18n.number(count) },
      ]}
    />
  );
}
