import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Elapsed, Remaining } from "~/shared/time/age";
import { Status, type Tone } from "~/shared/ui/status";
import type { Run } from "../session-hook";
import type { FirmwareView, TargetView } from "../types";
import classes from "./firmware-run.module.css";

/** States of `firmware_v1`, in words. */
const STATES: Record<string, { tone: Tone; words: MessageDescriptor }> = {
  starting: { tone: "wait", words: msg`Starting` },
  download_sent: { tone: "wait", words: msg`Downloading` },
  downloaded: { tone: "wait", words: msg`Downloaded` },
  update_sent: { tone: "wait", words: msg`Updating` },
  verifying: { tone: "wait", words: msg`Checking the new version` },
  verified: { tone: "ok", words: msg`Updated` },
  retry_wait: { tone: "wait", words: msg`Waiting to try again` },
  waiting_online: { tone: "wait", words: msg`Waiting for the device` },
  deferred: { tone: "wait", words: msg`Deferred` },
  failed: { tone: "fail", words: msg`Failed` },
  failed_for_good: { tone: "fail", words: msg`Failed` },
  done: { tone: "ok", words: msg`Done` },
  cancelled: { tone: "plain", words: msg`Cancelled` },
};

/** States in which nothing runs; `next_at` is then the next attempt, else the end of the present one. */
const RESTING = new Set(["retry_wait", "waiting_online", "deferred", "failed"]);

const DEFERRAL_H = 8;

/** A firmware run: phase, attempt and age, each target's way, and what may be asked of it. */
export function FirmwareRun({ run, firmware }: { run: Run; firmware: FirmwareView }) {
  const { i18n } = useLingui();
  const known = STATES[firmware.state];
  const later = () => new Date(Date.now() + DEFERRAL_H * 3_600_000).toISOString();
  const free = run.sending === undefined;
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
          {RESTING.has(firmware.state) ? (
            <Trans>
              Next attempt in <Remaining until={firmware.next_at} />
            </Trans>
          ) : (
            <Trans>
              This attempt ends in <Remaining until={firmware.next_at} /> at the latest
            </Trans>
          )}
        </p>
      ) : null}
      {firmware.error ? <p className={classes.error}>{firmware.error}</p> : null}
      <ul className={classes.targets}>
        {firmware.targets.map((target) => (
          <Target key={target.target} target={target} />
        ))}
      </ul>
      {firmware.can_retry || firmware.can_cancel ? (
        <div className={classes.actions}>
          {firmware.can_retry ? (
            <Button
              size="md"
              variant="default"
              disabled={!free}
              onClick={() => run.act({ type: "FIRMWARE_RETRY" })}
            >
              <Trans>Try now</Trans>
            </Button>
          ) : null}
          {firmware.can_cancel ? (
            <>
              <Button
                size="md"
                variant="default"
                disabled={!free}
                onClick={() => run.act({ type: "FIRMWARE_DEFER", until: later() })}
              >
                <Trans>Do it in 8 hours</Trans>
              </Button>
              <Button
                size="md"
                variant="subtle"
                disabled={!free}
                onClick={() => run.act({ type: "FIRMWARE_CANCEL" })}
              >
                <Trans>Cancel the update</Trans>
              </Button>
            </>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Target({ target }: { target: TargetView }) {
  const { t } = useLingui();
  const stages = [
    { name: t`Download`, done: target.downloaded || target.completed, on: target.started },
    { name: t`Update`, done: target.completed, on: target.downloaded },
  ];
  return (
    <li className={classes.target}>
      <strong>{target.label}</strong>
      <span className={classes.versions}>
        {target.from_version} → {target.to_version}
      </span>
      <ol className={classes.stages} aria-label={t`Progress of ${target.label}`}>
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
    </li>
  );
}
