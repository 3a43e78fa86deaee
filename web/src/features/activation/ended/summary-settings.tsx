import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Fragment } from "react";
import { Verified } from "../parts/verified";
import type { ActivationView, Feature } from "../types";
import { INPUT_WORDS, MODE_WORDS, OUTPUT_WORDS, STEP_WORDS, TOGGLE_WORDS } from "../words";

/** Table → the step that writes it. */
const TABLE_STEPS = {
  controller: "controller-option-tables",
  keylocker: "keylocker-option-tables",
  "poc-pic": "keylocker-poc-pic",
} as const;

type TableName = keyof typeof TABLE_STEPS;

/** Rows of the summary on what was set up: replaced device, modes, options, pins, settings, lines. */
export function SummarySettings({ view }: { view: ActivationView }) {
  const { i18n, t } = useLingui();
  const { replaced, keylocker_mode, tables, pins, features, hardwired, configuration } = view.facts;
  const written = Object.entries(tables ?? {}) as [TableName, { changed: number }][];
  const on = (Object.keys(TOGGLE_WORDS) as Feature[]).filter((name) => features?.[name]);
  const set = (["master", "secondary"] as const).filter((slot) => pins?.[slot].success);
  const confirmed = (configuration ?? []).filter((row) => row.state.startsWith("confirmed"));
  const stepName = (step: string) => (STEP_WORDS[step] ? i18n._(STEP_WORDS[step]) : step);
  return (
    <>
      {replaced ? (
        <>
          <dt>
            <Trans>Replaces</Trans>
          </dt>
          <dd>
            {replaced.old_device_key} <Verified verified={replaced.verified} />
          </dd>
        </>
      ) : null}
      {written.map(([name, { changed }]) => (
        <Fragment key={name}>
          <dt>{stepName(TABLE_STEPS[name])}</dt>
          <dd>
            <Plural value={changed} _0="Nothing changed" one="# change" other="# changes" />
          </dd>
        </Fragment>
      ))}
      {keylocker_mode ? (
        <>
          <dt>
            <Trans>KeyLocker mode</Trans>
          </dt>
          <dd>{i18n._(MODE_WORDS[keylocker_mode].name)}</dd>
        </>
      ) : null}
      {set.length > 0 ? (
        <>
          <dt>
            <Trans>Pins set</Trans>
          </dt>
          <dd>{set.map((slot) => (slot === "master" ? t`Master` : t`Secondary`)).join(", ")}</dd>
        </>
      ) : null}
      {on.length > 0 ? (
        <>
          <dt>
            <Trans>Settings on</Trans>
          </dt>
          <dd>{on.map((name) => i18n._(TOGGLE_WORDS[name].name)).join(", ")}</dd>
        </>
      ) : null}
      {configuration && configuration.length > 0 ? (
        <>
          <dt>
            <Trans>Configuration confirmed</Trans>
          </dt>
          <dd>
            <Trans>
              {confirmed.length} of {configuration.length}
            </Trans>
          </dd>
        </>
      ) : null}
      {hardwired ? (
        <>
          <dt>
            <Trans>Lines</Trans>
          </dt>
          <dd>
            <Trans>
              Output {i18n._(OUTPUT_WORDS[hardwired.output])}, input{" "}
              {i18n._(INPUT_WORDS[hardwired.input])}
            </Trans>
          </dd>
        </>
      ) : null}
    </>
  );
}
