import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";
import type { ActivationView } from "../types";
import { MODE_WORDS } from "../words";
import classes from "./device-facts.module.css";

const YES: MessageDescriptor = msg`Yes`;
const NO: MessageDescriptor = msg`No`;

/** What the KeyLocker last said of itself (devices spec 3); a reading that it did not send is a dash. */
export function KeylockerPanel({ view }: { view: ActivationView }) {
  const { i18n } = useLingui();
  const title = useId();
  const { keylocker } = view.facts;
  if (!keylocker) {
    return (
      <p className={classes.none}>
        <Trans>The KeyLocker has not reported yet.</Trans>
      </p>
    );
  }
  const answer = (reading: boolean | null | undefined) =>
    reading === null || reading === undefined ? "–" : i18n._(reading ? YES : NO);
  return (
    <section className={classes.titled} aria-labelledby={title}>
      <h2 id={title}>
        <Trans>KeyLocker status</Trans>
      </h2>
      <dl className={classes.facts}>
        <dt>
          <Trans>Mode</Trans>
        </dt>
        <dd>{keylocker.mode ? i18n._(MODE_WORDS[keylocker.mode].name) : "–"}</dd>
        <dt>
          <Trans>Key present</Trans>
        </dt>
        <dd>{answer(keylocker.key_present)}</dd>
        <dt>
          <Trans>Roof locked</Trans>
        </dt>
        <dd>{answer(keylocker.roof_locked)}</dd>
        <dt>
          <Trans>Roof open</Trans>
        </dt>
        <dd>{answer(keylocker.roof_open)}</dd>
        <dt>
          <Trans>Version</Trans>
        </dt>
        <dd>{keylocker.version ?? "–"}</dd>
      </dl>
    </section>
  );
}
