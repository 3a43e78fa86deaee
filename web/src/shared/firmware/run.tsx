import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { Problem } from "~/shared/api/errors";
import { Elapsed, Remaining } from "~/shared/time/age";
import { Status } from "~/shared/ui/notes/status";
import { Failure } from "./failure";
import { chartStateOf } from "./flow";
import { NotDone } from "./not-done";
import classes from "./run.module.css";
import type { FirmwareCommand, FirmwareView, TargetView } from "./types";
import { Overrule, WeakReadings } from "./weak";
import { STATE_WORDS, TARGET_WORDS } from "./words";

/** States that end by themselves as soon as the device is reached, or strong enough. */
const WAITING = new Set(["waiting_online", "weak"]);

const DEFERRAL_H = 8;

/** What was asked of the run and did not happen. */
export type FailedCommand = {
  type: FirmwareCommand["type"];
  /** Of an overruling. */
  reason?: string;
  problem: Problem;
  /** The same once more: what did arrive is not done twice. */
  again: (() => void) | undefined;
  onClose: () => void;
};

type FirmwareRunProps = {
  firmware: FirmwareView;
  /** Whether it is shown where the run stands: its chart and the server agree. */
  offered: (command: FirmwareCommand["type"]) => boolean;
  /** Whether it may be asked for now: it is offered, and nothing is on its way. */
  can: (command: FirmwareCommand["type"]) => boolean;
  mayOverrule: boolean;
  onCommand: (command: FirmwareCommand) => void;
  failed?: FailedCommand | undefined;
  /** Where what may be asked stands, when not below the rest; null when there is nothing. */
  atFoot?: (actions: ReactNode) => ReactNode;
};

/** A firmware run: phase, attempt and age, each target's way, and what may be asked of it. */
export function FirmwareRun({
  firmware,
  offered,
  can,
  mayOverrule,
  onCommand,
  failed,
  atFoot,
}: FirmwareRunProps) {
  const { t, i18n } = useLingui();
  const known = STATE_WORDS[firmware.state];
  const later = () => new Date(Date.now() + DEFERRAL_H * 3_600_000).toISOString();
  const { percent } = firmware;
  const turn = chartStateOf(firmware)?.meta.turn;
  const any = offered("RETRY") || offered("DEFER") || offered("CANCEL");
  const names: Record<FirmwareCommand["type"], string> = {
    RETRY: firmware.state === "weak" ? t`Look again` : t`Try now`,
    DEFER: t`Do it in 8 hours`,
    CANCEL: t`Cancel the update`,
    OVERRULE: t`Update it all the same`,
  };
  const inForm = failed?.type === "OVERRULE" && offered("OVERRULE") && mayOverrule;
  const notDone = failed && (
    <NotDone
      name={names[failed.type]}
      problem={failed.problem}
      again={inForm ? "submit" : failed.again}
      onClose={failed.onClose}
    />
  );
  const atButtons = !inForm && notDone;
  const actions =
    any || atButtons ? (
      <>
        {atButtons ? <div className={classes.why}>{notDone}</div> : null}
        {offered("RETRY") ? (
          <Button
            size="md"
            variant="default"
            disabled={!can("RETRY")}
            onClick={() => onCommand({ type: "RETRY" })}
          >
            {names.RETRY}
          </Button>
        ) : null}
        {offered("DEFER") ? (
          <Button
            size="md"
            variant="default"
            disabled={!can("DEFER")}
            onClick={() => onCommand({ type: "DEFER", until: later() })}
          >
            {names.DEFER}
          </Button>
        ) : null}
        {offered("CANCEL") ? (
          <Button
            size="md"
            variant="subtle"
            disabled={!can("CANCEL")}
            onClick={() => onCommand({ type: "CANCEL" })}
          >
            {names.CANCEL}
          </Button>
        ) : null}
      </>
    ) : null;
  return (
    <div className={classes.run}>
      <div className={classes.head} aria-live="polite">
        <Status tone={known?.tone ?? "wait"}>{known ? i18n._(known.words) : firmware.state}</Status>
        {firmware.attempt > 0 ? (
          <span>
            <Trans>
              Attempt {firmware.attempt} of {firmware.attempts}
            </Trans>
          </span>
        ) : null}
        <span className={classes.age} aria-hidden="true">
          <Elapsed since={firmware.since} />
        </span>
      </div>
      {firmware.next_at ? (
        <p>
          {turn === "clock" ? (
            <Trans>
              Next attempt in <Remaining until={firmware.next_at} />
            </Trans>
          ) : WAITING.has(firmware.state) ? (
            <Trans>
              It goes on by itself as soon as it can, for another{" "}
              <Remaining until={firmware.next_at} /> at the latest
            </Trans>
          ) : firmware.state === "failed" ? (
            <Trans>
              It can be tried again for another <Remaining until={firmware.next_at} />
            </Trans>
          ) : (
            <Trans>
              This attempt ends in <Remaining until={firmware.next_at} /> at the latest
            </Trans>
          )}
        </p>
      ) : null}
      {percent === null || percent === undefined ? null : (
        <p className={classes.percent}>
          <progress value={percent} max={100} aria-label={t`Progress`} />
          <span>{i18n.number(percent / 100, { style: "percent" })}</span>
        </p>
      )}
      {firmware.state === "weak" ? (
        <WeakReadings found={firmware.weaknesses ?? []} />
      ) : firmware.error ? (
        <Failure error={firmware.error} from={firmware.error_from} className={classes.error} />
      ) : null}
      {firmware.overruled ? (
        <p>
          <Trans>
            Weak readings were overruled by {firmware.overruled.by}: {firmware.overruled.reason}
          </Trans>
        </p>
      ) : null}
      <ul className={classes.targets}>
        {firmware.targets.map((target) => (
          <Target key={target.target} target={target} />
        ))}
      </ul>
      {offered("OVERRULE") ? (
        <Overrule
          may={mayOverrule}
          free={can("OVERRULE")}
          onOverrule={(reason) =>
            failed?.again && failed.reason === reason
              ? failed.again()
              : onCommand({ type: "OVERRULE", reason })
          }
          notDone={inForm ? notDone : undefined}
        />
      ) : null}
      {atFoot ? atFoot(actions) : <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
function Target({ target }: { target: TargetView }) {
  const { t, i18n } = useLingui();
  const name = TARGET_WORDS[target.target];
  const label = name ? i18n._(name) : target.label;
  const attempts = target.download_attempts + target.update_attempts;
  const stages = [
    { name: t`Download`, done: target.downloaded || target.completed, on: target.started },
    { name: t`Update`, done: target.completed, on: target.downloaded },
  ];
  return (
    <li className={classes.target}>
      <strong>{label}</strong>
      <span className={classes.versions}>
        {target.from_version} → {target.to_version}
      </span>
      <ol className={classes.stages} aria-label={t`Progress of ${label}`}>
        {stages.map(({ name, done, on }) => (
          <li
            key={name}
            data-state={done ? "done" : target.failed && on ? "failed" : on ? "on" : "ahead"}
          >
            {name}
            <span className="quiet">
              {done
                ? t`(done)`
                : target.failed && on
                  ? t`(failed)`
                  : on
                    ? t`(in progress)`
                    : t`(not started)`}
            </span>
          </li>
        ))}
      </ol>
      {attempts > 2 ? (
        <small className={classes.attempts}>
          <Trans>
            Attempts: download {target.download_attempts}, update {target.update_attempts}
          </Trans>
        </small>
      ) : null}
    </li>
  );
}
