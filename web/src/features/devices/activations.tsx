import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { stepOf } from "~/shared/flow/chart";
import { FoldedMoves } from "~/shared/flow/folded-moves";
import { clock } from "~/shared/time/age";
import { EmptyPart } from "~/shared/ui/lists/empty-state";
import { Status, type Tone } from "~/shared/ui/notes/status";
import classes from "./devices.module.css";
import { activationMovesQuery, type PastActivation } from "./queries";
import { type ActivationWords, OUTCOME_WORDS, PLACE_WORDS } from "./words";

const TONES: Record<string, Tone> = { completed: "ok", refused: "fail", needs_attention: "fail" };

type Waits = (id: string) => ReactNode;
type ActivationsProps = {
  deviceKey: string;
  activations: readonly PastActivation[];
  words: ActivationWords;
  waits: Waits;
};

/** The device's activations by this business, present and past. */
export function Activations({ deviceKey, activations, words, waits }: ActivationsProps) {
  return (
    <section aria-labelledby="activations" className={classes.section}>
      <h2 id="activations">
        <Trans>Activations</Trans>
      </h2>
      {activations.length === 0 ? (
        <EmptyPart
          none={<Trans>Your business has not activated this device.</Trans>}
          action={
            <Link to="/activation" search={{ device: deviceKey }}>
              <Trans>Begin an activation</Trans>
            </Link>
          }
        />
      ) : null}
      <ul className={classes.runs}>
        {activations.map((activation) => (
          <li key={activation.id}>
            <Activation activation={activation} words={words} waits={waits} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type ActivationProps = { activation: PastActivation; words: ActivationWords; waits: Waits };

function Activation({ activation, words, waits }: ActivationProps) {
  const { i18n } = useLingui();
  const type = words.type[activation.type];
  const outcome = activation.outcome ? OUTCOME_WORDS[activation.outcome] : undefined;
  const step = words.step[activation.step];
  return (
    <article className={classes.run}>
      <header className={classes.runHead}>
        <strong>{type ? i18n._(type.name) : activation.type}</strong>
        {activation.ended_at ? (
          <Status tone={TONES[activation.outcome ?? ""] ?? "plain"}>
            {outcome ? i18n._(outcome) : activation.outcome}
          </Status>
        ) : (
          <Status tone="wait">{step ? i18n._(step) : activation.step}</Status>
        )}
        {waits(activation.id)}
      </header>
      <p className={classes.soft}>
        {i18n.date(activation.created_at, { dateStyle: "medium", timeStyle: "short" })}
        {" · "}
        {activation.owner}
        {activation.ended_at ? (
          <>
            {" · "}
            <Trans>took {lasted(activation.created_at, activation.ended_at)}</Trans>
          </>
        ) : null}
      </p>
      {activation.ended_at ? null : (
        <Link to="/activation/device" search={{ id: activation.id, step: undefined }}>
          <Trans>Go on with this activation</Trans>
        </Link>
      )}
      <ActivationMoves id={activation.id} words={words} />
    </article>
  );
}

function ActivationMoves({ id, words }: { id: string; words: ActivationWords }) {
  const { i18n } = useLingui();
  const [open, setOpen] = useState(false);
  const moves = useQuery(activationMovesQuery(id, open));
  const wordsOf = (state: string) => {
    const known = words.step[stepOf(state)] ?? PLACE_WORDS[state];
    return known ? i18n._(known) : state;
  };
  return (
    <FoldedMoves moves={moves} wordsOf={wordsOf} onOpen={setOpen} className={classes.details} />
  );
}

function lasted(from: string, until: string): string {
  return clock(Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1000)));
}
