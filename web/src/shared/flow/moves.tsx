import { Trans, useLingui } from "@lingui/react/macro";
import type { Schemas } from "~/shared/api/client";
import { clock } from "~/shared/time/age";
import classes from "./moves.module.css";

type MovesProps = {
  moves: readonly Schemas["Transition"][];
  wordsOf: (state: string) => string;
  label: string;
};

/** What happened to a run, oldest first: when, where to, by whom, and how long it stayed there. */
export function Moves({ moves, wordsOf, label }: MovesProps) {
  const { i18n } = useLingui();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>When</Trans>
            </th>
            <th scope="col">
              <Trans>What</Trans>
            </th>
            <th scope="col">
              <Trans>By</Trans>
            </th>
            <th scope="col">
              <Trans>For how long</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {moves.map((move, place) => (
            <tr key={move.rev}>
              <td>{i18n.date(move.at, { dateStyle: "short", timeStyle: "medium" })}</td>
              <td>
                {wordsOf(move.to_state)}
                {move.note ? <small>{move.note}</small> : null}
              </td>
              <td>{move.actor ?? "–"}</td>
              <td>{lasted(move.at, moves[place + 1]?.at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Until the next change; the last one has none. */
function lasted(from: string, until: string | undefined): string {
  if (until === undefined) return "–";
  return clock(Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1000)));
}
