import { Trans, useLingui } from "@lingui/react/macro";
import { Age } from "~/shared/time/age";
import { CheckIcon, SkipIcon } from "~/shared/ui/icons";
import type { ActivationView } from "../types";
import { STEP_WORDS } from "../words";
import { DeviceFacts } from "./device-facts";
import classes from "./progress.module.css";

/** Where the run stands: an ordered list at the desk, a line with the list folded away on a phone. */
export function Progress({ view, shown }: { view: ActivationView; shown: string }) {
  return (
    <aside className={classes.progress}>
      <details className={classes.fold}>
        <summary>
          <span>{view.device.device_key}</span>
          <progress value={view.position} max={view.total} aria-hidden="true" />
          <Trans>All steps</Trans>
        </summary>
        <StepList view={view} shown={shown} />
      </details>
      <div className={classes.wide}>
        <StepList view={view} shown={shown} />
        <DeviceFacts device={view.device} replaced={view.facts.replaced} />
        <p className={classes.saved}>
          <Trans>
            Saved <Age since={view.updated_at} /> by {view.updated_by}
          </Trans>
        </p>
      </div>
    </aside>
  );
}

function StepList({ view, shown }: { view: ActivationView; shown: string }) {
  const { t, i18n } = useLingui();
  const present = view.plan.indexOf(view.step);
  return (
    <ol className={classes.list} aria-label={t`Steps`}>
      {view.plan.map((step, at) => {
        const words = STEP_WORDS[step];
        const skipped = view.skipped[step];
        const done = at < present;
        return (
          <li
            key={step}
            data-state={at === present ? "present" : done ? "done" : "ahead"}
            data-shown={step === shown}
            aria-current={at === present ? "step" : undefined}
          >
            <span className={classes.sign}>
              {done ? skipped ? <SkipIcon size={16} /> : <CheckIcon size={16} /> : at + 1}
            </span>
            <span>
              {words ? i18n._(words) : step}
              {skipped ? (
                <small>
                  <Trans>Skipped: {skipped}</Trans>
                </small>
              ) : null}
              {done && !skipped ? (
                <span className="quiet">
                  <Trans>(done)</Trans>
                </span>
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
