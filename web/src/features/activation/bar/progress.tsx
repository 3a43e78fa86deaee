import { Trans, useLingui } from "@lingui/react/macro";
import { placesOf, stepsOf } from "~/shared/flow/map/places";
import { Age } from "~/shared/time/age";
import { CheckIcon, SkipIcon } from "~/shared/ui/pictures/icons";
import { DeviceFacts } from "../parts/device-facts";
import type { Run } from "../session-hook";
import { STEP_WORDS } from "../words";
import classes from "./progress.module.css";

/** Where the run stands, beside the step; on a phone the bar has it. */
export function Progress({ run, shown }: { run: Run; shown: string }) {
  const { view } = run.answer;
  return (
    <aside className={classes.progress}>
      <StepList run={run} shown={shown} />
      <DeviceFacts device={view.device} replaced={view.facts.replaced} />
      <p className={classes.saved}>
        <Trans>
          Saved <Age since={view.updated_at} /> by {view.updated_by}
        </Trans>
      </p>
    </aside>
  );
}

/** The plan as the chart has it, with what was skipped and why. */
export function StepList({ run, shown }: { run: Run; shown: string }) {
  const { t, i18n } = useLingui();
  const { skipped: reasons } = run.answer.view;
  const places = run.position ? placesOf(stepsOf(run.position), run) : [];
  return (
    <ol className={classes.list} aria-label={t`Steps`}>
      {places.map(({ step, at }, place) => {
        const words = STEP_WORDS[step];
        const skipped = reasons[step];
        const done = at === "done";
        return (
          <li
            key={step}
            data-state={at === "here" ? "present" : done ? "done" : "ahead"}
            data-shown={step === shown}
            aria-current={at === "here" ? "step" : undefined}
          >
            <span className={classes.sign}>
              {done ? skipped ? <SkipIcon size={16} /> : <CheckIcon size={16} /> : place + 1}
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
              {at === "sent" ? (
                <span className="quiet">
                  <Trans>(sent)</Trans>
                </span>
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
