import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Age } from "~/shared/time/age";
import { Status } from "~/shared/ui/status";
import classes from "./operations.module.css";
import type { Overview } from "./queries";
import { KIND_WORDS, REPAIR_WORDS } from "./words";

type TableProps = { label: string; heads: readonly string[]; children: ReactNode };

/** A small table that scrolls by itself on a narrow screen. */
export function SmallTable({ label, heads, children }: TableProps) {
  return (
    <div className={classes.section}>
      <h2>{label}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <table className={`${classes.table} ${classes.narrow}`}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </section>
    </div>
  );
}

/** How many runs of each kind stand where. */
export function Tallies({ tallies }: { tallies: Overview["tallies"] }) {
  const { t, i18n } = useLingui();
  return (
    <SmallTable label={t`By kind and state`} heads={[t`Kind`, t`State`, t`Runs`]}>
      {tallies.map(({ kind, state, is_open, count }) => (
        <tr key={`${kind} ${state} ${is_open}`}>
          <td>{i18n._(KIND_WORDS[kind])}</td>
          <td>
            {is_open ? (
              <Link to="/operations" search={{ kind, state }}>
                {state}
              </Link>
            ) : (
              <>
                {state}
                <small>
                  <Trans>ended within a day</Trans>
                </small>
              </>
            )}
          </td>
          <td>{i18n.number(count)}</td>
        </tr>
      ))}
    </SmallTable>
  );
}

export function Held({ orphans }: { orphans: Overview["orphans"] }) {
  const { t } = useLingui();
  if (orphans.length === 0) return null;
  return (
    <SmallTable label={t`Devices held by no run`} heads={[t`Device`, t`Run`, t`Since`]}>
      {orphans.map(({ id, device_key, kind, flow_id, created_at }) => (
        <tr key={id}>
          <td>{device_key}</td>
          <td>
            {kind}
            <small>{flow_id}</small>
          </td>
          <td>
            <Age since={created_at} />
          </td>
        </tr>
      ))}
    </SmallTable>
  );
}

export function NotDelivered({ logs }: { logs: Overview["undelivered"] }) {
  const { t } = useLingui();
  if (logs.length === 0) return null;
  return (
    <SmallTable label={t`Device logs not delivered`} heads={[t`Device`, t`Log`, t`Received`]}>
      {logs.map(({ id, device_key, type, received_at }) => (
        <tr key={id}>
          <td>{device_key}</td>
          <td>
            {type}
            <small>{id}</small>
          </td>
          <td>
            <Age since={received_at} />
          </td>
        </tr>
      ))}
    </SmallTable>
  );
}

export function ThirdParties({ parties }: { parties: Overview["third_parties"] }) {
  const { t, i18n } = useLingui();
  if (parties.length === 0) return null;
  return (
    <SmallTable
      label={t`Outside systems`}
      heads={[t`System`, t`Answers`, t`Calls`, t`Failures`, t`Last failure`]}
    >
      {parties.map((party) => (
        <tr key={`${party.system} ${party.process}`}>
          <td>
            {party.system}
            <small>{party.process}</small>
          </td>
          <td>
            {party.well ? (
              <Status tone="ok">
                <Trans>yes</Trans>
              </Status>
            ) : (
              <Status tone="fail">
                <Trans>no</Trans>
              </Status>
            )}
          </td>
          <td>{i18n.number(party.calls)}</td>
          <td>{i18n.number(party.failures)}</td>
          <td>
            {party.last_failed_at ? <Age since={party.last_failed_at} /> : "–"}
            {party.reason ? <small>{party.reason}</small> : null}
          </td>
        </tr>
      ))}
    </SmallTable>
  );
}

export function Repaired({ repaired }: { repaired: Overview["repaired"] }) {
  const { t, i18n } = useLingui();
  const rows = Object.entries(repaired);
  if (rows.length === 0) return null;
  return (
    <SmallTable label={t`Repaired within a day`} heads={[t`Repair`, t`How often`]}>
      {rows.map(([repair, count]) => (
        <tr key={repair}>
          <td>{REPAIR_WORDS[repair] ? i18n._(REPAIR_WORDS[repair]) : repair}</td>
          <td>{i18n.number(count)}</td>
        </tr>
      ))}
    </SmallTable>
  );
}
