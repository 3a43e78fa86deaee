import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { Status } from "~/shared/ui/notes/status";
import { Failure } from "../../commands/failure";
import type { Run } from "../../session-hook";
import type { Feature } from "../../types";
import { TOGGLE_WORDS } from "../../words";
import classes from "./toggle-row.module.css";

type ToggleRowProps = { run: Run; name: Feature; enabled: boolean | undefined; saving: boolean };

/** One feature, on or off; neither while the device has not said which. Shows the device's word, never a wish. */
export function ToggleRow({ run, name, enabled, saving }: ToggleRowProps) {
  const { i18n, t } = useLingui();
  const group = useId();
  const online = useOnline();
  const known = TOGGLE_WORDS[name];
  const label = i18n._(known.name);
  const off = !online || !run.can("ACT");

  function option(value: boolean, words: string) {
    return (
      <label className={classes.option}>
        <input
          type="radio"
          name={group}
          checked={enabled === value}
          aria-disabled={off}
          onChange={() => {
            if (!off) run.ask({ type: "SET_FEATURE", feature: name, enabled: value });
          }}
        />
        {words}
      </label>
    );
  }

  return (
    <fieldset className={classes.row} data-off={off} aria-describedby={`${group}-what`}>
      <legend className="quiet">{label}</legend>
      <span className={classes.name}>
        <strong aria-hidden="true">{label}</strong>
        <span id={`${group}-what`}>{i18n._(known.what)}</span>
      </span>
      <span aria-live="polite">
        {saving ? (
          <Status tone="wait">
            <Trans>Saving</Trans>
          </Status>
        ) : enabled === undefined ? (
          <Status tone="plain">
            <Trans>Not reported</Trans>
          </Status>
        ) : null}
      </span>
      <span className={classes.options}>
        {option(true, t`On`)}
        {option(false, t`Off`)}
      </span>
      {run.failed?.type === "SET_FEATURE" && run.failed.feature === name ? (
        <div className={classes.why}>
          <Failure run={run} atButton />
        </div>
      ) : null}
    </fieldset>
  );
}
