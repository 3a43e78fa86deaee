import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Chart } from "../chart";
import classes from "./full-map.module.css";
import { type MapPlace, type PlaceAt, placesOfChart, type Taken } from "./places";
import { stateName } from "./state-name";

const AT_WORDS: Record<PlaceAt | "outside", MessageDescriptor | undefined> = {
  here: msg`here now`,
  done: msg`behind`,
  sent: undefined,
  ahead: msg`may come`,
  closed: msg`out of reach`,
  outside: msg`not part of this run`,
};

type FullMapProps = {
  chart: Chart;
  plan: readonly string[];
  state: string;
  /** What happened to the run, as far as it is known. */
  taken: readonly Taken[];
  /** Step → why it was skipped. */
  skipped: Readonly<Record<string, string>>;
  label: string;
};

/** The whole chart of a run, of whatever version: where it is, what was gone, what was skipped and why, what may come. */
export function FullMap({ label, ...run }: FullMapProps) {
  const { i18n } = useLingui();
  const name = (state: string) => stateName(i18n, run.chart, state);
  return (
    <ol className={classes.map} aria-label={label}>
      {placesOfChart(run).map((place) => {
        const { why: skipped } = place;
        const said = AT_WORDS[place.at];
        return (
          <li
            key={place.step}
            className={classes.place}
            data-at={place.at}
            aria-current={place.at === "here" ? "step" : undefined}
          >
            <p className={classes.head}>
              <strong>{name(place.step)}</strong>
              {skipped ? (
                <small>
                  <Trans>Skipped: {skipped}</Trans>
                </small>
              ) : said ? (
                <small>{i18n._(said)}</small>
              ) : null}
            </p>
            <Edges place={place} nameOf={name} />
          </li>
        );
      })}
    </ol>
  );
}

/** The ways on from a place: the event in the record's own word, and where it leads. */
function Edges({ place, nameOf }: { place: MapPlace; nameOf: (state: string) => string }) {
  if (place.edges.length === 0) return null;
  return (
    <ul className={classes.edges}>
      {place.edges.map(({ from, event, to, taken }) => (
        <li key={`${from} ${event}`} data-taken={taken}>
          <code>{event}</code> → {nameOf(to)}
          {taken ? (
            <b className="quiet">
              {" "}
              <Trans>(taken)</Trans>
            </b>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
