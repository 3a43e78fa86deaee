import type { I18n } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { wordsFor } from "~/shared/api/error-words";
import { useSend } from "~/shared/api/send";
import { Age } from "~/shared/time/age";
import { handOn } from "~/shared/ui/hand-on";
import { Note } from "~/shared/ui/notes/note";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { nameOf } from "~/shared/vehicles/name";
import type { VehicleDetails } from "../types";
import { INPUT_WORDS, MODE_WORDS, OUTPUT_WORDS, STEP_WORDS } from "../words";
import classes from "./kept-here.module.css";
import { drop, type Kept, type KeptAction, sendOne, useKept } from "./outbox";
import { ThrowAway } from "./throw-away";

/** What was entered for this run without a signal: what waits, what is ready to send, and what no longer fits. */
export function KeptHere({ id }: { id: string }) {
  const here = useKept().filter(({ at }) => at.id === id);
  return here.map((one) => <One key={one.key} one={one} />);
}

function One({ one }: { one: Kept }) {
  const { i18n } = useLingui();
  const online = useOnline();
  const sending = useSend();
  const words = STEP_WORDS[one.at.view.step];
  const step = words ? i18n._(words) : one.at.view.step;
  const why = useWhyRefused(one);
  const send = () =>
    void sending.send(async () => {
      const problem = await sendOne(one);
      if (problem) throw problem;
    });
  return (
    <Note
      tone={one.refused ? "fail" : "wait"}
      action={
        <span className={classes.actions}>
          {one.refused ? null : (
            <Button size="md" disabled={!online} loading={sending.busy} onClick={send}>
              {one.reach === "device" ? <Trans>Send to the device</Trans> : <Trans>Send now</Trans>}
            </Button>
          )}
          {one.refused ? (
            <Button size="md" variant="default" onClick={() => drop(one.key)}>
              <Trans>Dismiss</Trans>
            </Button>
          ) : (
            <ThrowAway ref={handOn} name={step} onThrow={() => drop(one.key)}>
              <Trans>Do not send</Trans>
            </ThrowAway>
          )}
        </span>
      }
    >
      {one.refused ? (
        <>
          <Trans>
            {step}: what you entered <Age since={one.kept} /> no longer fits.
          </Trans>{" "}
          {why}
        </>
      ) : one.reach === "device" ? (
        <Trans>{step}: ready to send to the device.</Trans>
      ) : (
        <Trans>{step}: waits for a signal, and is sent by itself.</Trans>
      )}{" "}
      <Entered one={one} />
    </Note>
  );
}

/** Why it no longer fits, in words; undefined for what was not refused. */
export function useWhyRefused({ refused }: Kept): string | undefined {
  const { i18n } = useLingui();
  if (!refused) return undefined;
  const { code = "", detail } = refused;
  const why = wordsFor({ code, detail, run: "activation" });
  return typeof why === "string" ? why : i18n._(why);
}

/** What was typed, so that nothing is lost with a refusal. */
function Entered({ one }: { one: Kept }) {
  const { i18n } = useLingui();
  const lines = entered(one.action, i18n);
  if (lines.length === 0) return null;
  return <q>{lines.join(", ")}</q>;
}

/** As the form says it; an id says nothing to anybody. */
function entered(action: KeptAction, i18n: I18n): readonly string[] {
  if (action.type === "SKIP") return [action.reason];
  const { data } = action;
  if ("changes" in data)
    return Object.entries(data.changes).map(([option, value]) => `${option} = ${value}`);
  if ("make" in data) return [nameOf(data as VehicleDetails)]; // no other form has a make
  if ("mode" in data) return [i18n._(MODE_WORDS[data.mode].name)];
  if ("output" in data) return [i18n._(OUTPUT_WORDS[data.output]), i18n._(INPUT_WORDS[data.input])];
  return [];
}
