import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { FIRMWARE_STAGES } from "~/shared/firmware/flow";
import { NotDone } from "~/shared/firmware/not-done";
import { Overrule, WeakReadings } from "~/shared/firmware/weak";
import { STATE_WORDS, TARGET_WORDS } from "~/shared/firmware/words";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { Status } from "~/shared/ui/notes/status";
import { type TaskAt, TaskPlace } from "~/shared/ui/screens/task-bar";
import { mainAction, TaskFoot } from "~/shared/ui/screens/task-foot";
import { startRun } from "./calls";
import classes from "./firmware.module.css";
import { type FirmwareRequest, type Offers, offersQuery, type PastFirmware } from "./queries";

type StartPanelProps = {
  wanted: FirmwareRequest;
  /** How the latest update ended. */
  last: PastFirmware | undefined;
  onStart: () => Promise<unknown>;
  about: Pick<TaskAt, "what" | "more">;
  /** What was done before; above the foot. */
  past: ReactNode;
};

/** Look for a newer version, then begin; what speaks against it is said before anything is sent. */
export function StartPanel({ wanted, last, onStart, about, past }: StartPanelProps) {
  const { t, i18n } = useLingui();
  const check = useQuery(offersQuery(wanted));
  const { busy, problem, send } = useSend();
  const ended = last && STATE_WORDS[last.state];
  const found = check.data;
  const refused = problem?.code === "device_too_weak" ? undefined : problem;
  const [reasoned, setReasoned] = useState(false);
  const overruled = reasoned && found !== undefined && found.weaknesses.length > 0;
  const mayBegin = found && found.offers.length > 0 && found.weaknesses.length === 0;

  async function begin(reason: string | undefined) {
    setReasoned(reason !== undefined);
    const failed = await send(
      async (key) => {
        await startRun(wanted, reason, key);
        await onStart();
      },
      [wanted, reason],
    );
    if (failed) await check.refetch();
  }

  const why =
    refused && !overruled ? (
      <NotDone
        name={t`Update now`}
        problem={refused}
        again={mayBegin ? () => void begin(undefined) : undefined}
      />
    ) : check.error ? (
      <NotDone
        name={found ? t`Check again` : t`Check for an update`}
        problem={problemOf(check.error)}
        again={() => void check.refetch()}
      />
    ) : null;

  return (
    <div className={classes.start}>
      <TaskPlace {...about} place={1} total={FIRMWARE_STAGES.length} />
      {last && ended ? (
        <p className={classes.last} role="status">
          <Status tone={ended.tone}>{i18n._(ended.words)}</Status>
          <Trans>
            Last update <Age since={last.updated_at} />
          </Trans>
        </p>
      ) : null}
      {found ? (
        <Found
          found={found}
          busy={busy}
          onBegin={(reason) => void begin(reason)}
          notOverruled={overruled ? refused : undefined}
        />
      ) : null}
      {past}
      <TaskFoot>
        {why ? <div className={classes.why}>{why}</div> : null}
        <Button
          size="lg"
          variant={mayBegin ? "subtle" : "filled"}
          {...(mayBegin ? {} : mainAction)}
          loading={check.isFetching}
          onClick={() => void check.refetch()}
        >
          {found ? <Trans>Check again</Trans> : <Trans>Check for an update</Trans>}
        </Button>
        {mayBegin ? (
          <Button size="lg" {...mainAction} loading={busy} onClick={() => void begin(undefined)}>
            <Trans>Update now</Trans>
          </Button>
        ) : null}
      </TaskFoot>
    </div>
  );
}

type FoundProps = {
  found: Offers;
  busy: boolean;
  onBegin: (reason?: string) => void;
  /** Why a begin with a reason failed. */
  notOverruled: Problem | undefined;
};

function Found({ found, busy, onBegin, notOverruled }: FoundProps) {
  const { t, i18n } = useLingui();
  const may = mayOverrule(useSession());
  if (found.offers.length === 0)
    return (
      <p role="status">
        <Status tone="ok">
          <Trans>The firmware is up to date</Trans>
        </Status>
      </p>
    );
  return (
    <div className={classes.found} role="status">
      <ul className={classes.offers} aria-label={t`Waiting updates`}>
        {found.offers.map(({ target, label, from_version, to_version }) => {
          const name = TARGET_WORDS[target];
          return (
            <li key={target}>
              <strong>{name ? i18n._(name) : label}</strong>
              <span className={classes.versions}>
                {from_version} → {to_version}
              </span>
            </li>
          );
        })}
      </ul>
      <dl className={classes.readings}>
        <dt>
          <Trans>Backup battery</Trans>
        </dt>
        <dd>
          {found.battery_volts === null ? (
            <Trans>Not reported</Trans>
          ) : (
            <Trans>
              {found.battery_volts} V, at least {found.least_battery_volts} V
            </Trans>
          )}
        </dd>
        <dt>
          <Trans>Signal</Trans>
        </dt>
        <dd>
          {found.signal_dbm === null ? (
            <Trans>Not reported</Trans>
          ) : (
            <Trans>
              {found.signal_dbm} dBm, at least {found.least_signal_dbm} dBm
            </Trans>
          )}
        </dd>
      </dl>
      {found.weaknesses.length > 0 ? (
        <div className={classes.weak}>
          <Status tone="fail">
            <Trans>Too weak to update</Trans>
          </Status>
          <WeakReadings found={found.weaknesses} />
          <Overrule
            may={may}
            free={!busy}
            onOverrule={onBegin}
            notDone={
              notOverruled ? (
                <NotDone name={t`Update it all the same`} problem={notOverruled} again="submit" />
              ) : undefined
            }
          />
        </div>
      ) : null}
    </div>
  );
}
