import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "~/shared/firmware/failure";
import { STATE_WORDS, TARGET_WORDS } from "~/shared/firmware/words";
import { FoldedMoves } from "~/shared/flow/folded-moves";
import { Status } from "~/shared/ui/notes/status";
import classes from "./firmware.module.css";
import { firmwareMovesQuery, type PastFirmware } from "./queries";

/** Updates that have ended, newest first. */
export function History({ runs }: { runs: readonly PastFirmware[] }) {
  return (
    <section aria-labelledby="past-updates">
      <h2 id="past-updates" className={classes.heading}>
        <Trans>Past updates</Trans>
      </h2>
      <ul className={classes.history}>
        {runs.map((run) => (
          <li key={run.id}>
            <Past run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Past({ run }: { run: PastFirmware }) {
  const { i18n } = useLingui();
  const { view } = run;
  const ended = STATE_WORDS[run.state];
  return (
    <article className={classes.past}>
      <header className={classes.pastHead}>
        <Status tone={ended?.tone ?? "plain"}>{ended ? i18n._(ended.words) : run.state}</Status>
        <span>{i18n.date(run.created_at, { dateStyle: "medium", timeStyle: "short" })}</span>
        {view.started_by ? <span>{view.started_by}</span> : null}
      </header>
      <ul className={classes.offers}>
        {view.targets?.map((target) => {
          const name = TARGET_WORDS[target.target];
          return (
            <li key={target.target}>
              <span>{name ? i18n._(name) : target.label}</span>
              <span className={classes.versions}>
                {target.from_version} → {target.completed ? target.to_version : "–"}
              </span>
            </li>
          );
        })}
      </ul>
      {view.error ? (
        <Failure error={view.error} from={view.error_from} className={classes.soft} />
      ) : null}
      {view.overruled ? (
        <p className={classes.soft}>
          <Trans>
            Weak readings were overruled by {view.overruled.by}: {view.overruled.reason}
          </Trans>
        </p>
      ) : null}
      <PastMoves id={run.id} />
    </article>
  );
}

function PastMoves({ id }: { id: string }) {
  const { i18n } = useLingui();
  const [open, setOpen] = useState(false);
  const moves = useQuery(firmwareMovesQuery(id, open));
  const wordsOf = (state: string) => {
    const known = STATE_WORDS[state];
    return known ? i18n._(known.words) : state;
  };
  return <FoldedMoves moves={moves} wordsOf={wordsOf} onOpen={setOpen} className={classes.moves} />;
}
