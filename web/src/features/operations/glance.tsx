import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Age } from "~/shared/time/age";
import classes from "./operations.module.css";
import type { Overview, RunList } from "./queries";
import { inWords, ROUND_WORDS, SHOWN_WORDS } from "./words";

const LISTS = ["attention", "stuck", "retrying"] as const satisfies readonly RunList[];

/** The figures that are nought on a good day; those with a list lead to it. */
export function Glance({ now }: { now: Overview }) {
  const { t, i18n } = useLingui();
  return (
    <ul className={classes.glance} aria-label={t`At a glance`}>
      {LISTS.map((shown) => (
        <li key={shown}>
          <Link
            to="/operations"
            search={({ payouts, differences }) => ({ payouts, differences, shown })}
            className={`${classes.figure} ${now.counted[shown] ? classes.bad : ""}`}
          >
            <strong>{i18n.number(now.counted[shown])}</strong>{" "}
            <span>{i18n._(SHOWN_WORDS[shown])}</span>
          </Link>
        </li>
      ))}
      <Figure value={now.counted.orphans} label={t`Devices held by no run`} />
      <Figure value={now.counted.undelivered} label={t`Device logs not delivered`} />
      <ProvidersOutbox outboxes={now.outboxes} />
      <Figure value={now.counted.unmailed} label={t`Confirmations not mailed`} />
      <Figure value={now.counted.unsettled} label={t`Effects without an outcome`} />
      <Figure value={now.counted.drifts} label={t`Pages older than their run`} />
      <Queue backlog={now.backlog} />
      {now.backlog?.releases.length ? (
        <Figure value={now.backlog.releases.join(", ")} label={t`Releases at work`} bad={false} />
      ) : null}
      <Rounds now={now} />
    </ul>
  );
}

function Figure(props: { value: number | string; label: string; bad?: boolean; more?: ReactNode }) {
  const { value, label, bad = Number(value) > 0, more } = props;
  const { i18n } = useLingui();
  return (
    <li>
      <div className={`${classes.figure} ${bad ? classes.bad : ""}`}>
        <strong>{typeof value === "number" ? i18n.number(value) : value}</strong>{" "}
        <span>{label}</span>
        {more ? <small>{more}</small> : null}
      </div>
    </li>
  );
}

/** As long as what was told may be on its way. */
const ON_ITS_WAY_SECONDS = 60;

function ProvidersOutbox({ outboxes }: { outboxes: Overview["outboxes"] }) {
  const { t } = useLingui();
  const providers = outboxes?.find(({ name }) => name === "providers");
  const oldest = Math.ceil(providers?.oldest_seconds ?? 0);
  return (
    <Figure
      value={providers?.rows ?? 0}
      label={t`Events of providers not handed on`}
      bad={oldest > ON_ITS_WAY_SECONDS}
      more={oldest > 0 ? t`the oldest for ${oldest} s` : null}
    />
  );
}

function Queue({ backlog }: { backlog: Overview["backlog"] }) {
  const { t } = useLingui();
  if (!backlog)
    return <Figure value="–" label={t`Tasks waiting`} bad more={t`Temporal does not answer`} />;
  const { workflow_tasks: runs, activities } = backlog;
  const oldest = Math.ceil(Math.max(runs.oldest_seconds, activities.oldest_seconds));
  const none = runs.pollers === 0;
  return (
    <Figure
      value={runs.tasks + activities.tasks}
      label={t`Tasks waiting`}
      bad={none || oldest > 5}
      more={none ? t`No worker asks for them` : oldest > 0 ? t`the oldest for ${oldest} s` : null}
    />
  );
}

function Rounds({ now }: { now: Overview }) {
  const { t, i18n } = useLingui();
  const sum = Object.values(now.repaired).reduce((all, each) => all + each, 0);
  const last = now.last_pass;
  if (!last) return <Figure value="–" label={t`Repaired today`} bad more={t`No round yet`} />;
  const failed = last.failed.map((part) => inWords(i18n, ROUND_WORDS, part)).join(", ");
  return (
    <Figure
      value={i18n.number(sum)}
      label={t`Repaired today`}
      bad={last.failed.length > 0}
      more={
        <>
          <Trans>
            last round <Age since={last.at} />
          </Trans>
          {failed ? ` · ${t`failed: ${failed}`}` : null}
        </>
      }
    />
  );
}
