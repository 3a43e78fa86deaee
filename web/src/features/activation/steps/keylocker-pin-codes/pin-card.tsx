import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { useFields } from "~/shared/forms/fields";
import { useSite } from "~/shared/session/site";
import { Choice } from "~/shared/ui/fields/choice";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { Status, type Tone } from "~/shared/ui/notes/status";
import { Failure } from "../../commands/failure";
import { usePinRules } from "../../schema";
import type { Run } from "../../session-hook";
import type { PinRow, PinSlot } from "../../types";
import { DURATION_WORDS, type PinDuration } from "../../words";
import { DeletePinDialog } from "./delete-pin";
import classes from "./pin-card.module.css";
import { PinField } from "./pin-field";

const SLOT_WORDS: Record<PinSlot, { name: MessageDescriptor; what: MessageDescriptor }> = {
  master: {
    name: msg`Master pin`,
    what: msg`Opens the KeyLocker and is needed to take the secondary pin away.`,
  },
  secondary: {
    name: msg`Secondary pin`,
    what: msg`For somebody who shall have the key for a while.`,
  },
};

const DURATIONS = Object.keys(DURATION_WORDS).map(Number) as PinDuration[]; // the table's own keys
const SHORTEST: PinDuration = 1;
const EMPTY: PinRow = {
  enabled: false,
  loading: false,
  success: false,
  failed: false,
  duration: null,
};

/** One pin: whether it is set, how the last save went, and a form for a new one. What was typed goes with the save. */
export function PinCard({ run, slot }: { run: Run; slot: PinSlot }) {
  const { t, i18n } = useLingui();
  const title = useId();
  const online = useOnline();
  const row = run.answer.view.facts.pins?.[slot] ?? EMPTY;
  const form = useFields({ pin: usePinRules(), duration: { rules: [] } }, { leavable: true });
  const picked = form.choice("duration");
  const [deleting, setDeleting] = useState(false);
  const off = !online || !run.can("ACT");
  const hasDefaults = useSite()?.features.default_pins;
  const duration =
    DURATIONS.find((one) => String(one) === picked.value) ??
    DURATIONS.find((one) => one === row.duration) ??
    SHORTEST;

  function save({ pin }: typeof form.texts) {
    if (off) return;
    run.ask({ type: "SET_PIN", slot, pin, duration });
    form.set("pin", "");
  }

  function setDefault() {
    if (!off) run.ask({ type: "SET_PIN", slot, duration });
    form.set("pin", "");
  }

  return (
    <section className={classes.card} aria-labelledby={title}>
      <div className={classes.head}>
        <h2 id={title}>{i18n._(SLOT_WORDS[slot].name)}</h2>
        <span className={classes.marks} aria-live="polite">
          <Status tone={row.enabled ? "ok" : "plain"}>{row.enabled ? t`Set` : t`Not set`}</Status>
          <LastSave row={row} />
        </span>
      </div>
      <p>{i18n._(SLOT_WORDS[slot].what)}</p>
      <form className={classes.form} onSubmit={form.submit(save)} noValidate autoComplete="off">
        <PinField
          label={row.enabled ? t`New pin` : t`Pin`}
          disabled={row.loading}
          {...form.field("pin")}
        />
        <Choice
          label={t`Stays entered for`}
          disabled={row.loading}
          options={DURATIONS.map((one) => ({
            value: String(one),
            label: i18n._(DURATION_WORDS[one]),
          }))}
          {...picked}
          value={String(duration)}
        />
        <div className={classes.actions}>
          <Button type="submit" size="md" disabled={off}>
            {slot === "master" ? (
              <Trans>Save the master pin</Trans>
            ) : (
              <Trans>Save the secondary pin</Trans>
            )}
          </Button>
          {hasDefaults ? (
            <Button size="md" variant="default" disabled={off} onClick={setDefault}>
              {slot === "master" ? (
                <Trans>Set the default master pin</Trans>
              ) : (
                <Trans>Set the default secondary pin</Trans>
              )}
            </Button>
          ) : null}
          {slot === "secondary" && row.enabled ? (
            <Button size="md" variant="default" disabled={off} onClick={() => setDeleting(true)}>
              <Trans>Delete the secondary pin</Trans>
            </Button>
          ) : null}
        </div>
        {run.failed?.type === "SET_PIN" && run.failed.slot === slot ? (
          <div className={classes.why}>
            <Failure run={run} atButton />
          </div>
        ) : null}
      </form>
      {deleting ? <DeletePinDialog run={run} onClose={() => setDeleting(false)} /> : null}
    </section>
  );
}

function LastSave({ row }: { row: PinRow }) {
  const { t } = useLingui();
  const told: [boolean, Tone, string][] = [
    [row.loading, "wait", row.enabled ? t`Saving` : t`Deleting`],
    [row.failed, "fail", t`Refused: nothing was changed`],
    [row.success, "ok", row.enabled ? t`Saved` : t`Deleted`],
  ];
  const found = told.find(([is]) => is);
  return found ? <Status tone={found[1]}>{found[2]}</Status> : null;
}
