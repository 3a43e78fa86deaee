import { type Chart, chartFor, type Narrowed, stepOf } from "../chart";
import type { Position } from "../position";

/** One part of a run's way as people know it, and the states of the chart that belong to it. */
export type Stage = { states: readonly string[] };

/**
 * Where a part of the way is: behind, present, where what was sent leads, still to come, or out of reach, because no way
 * of the chart leads there any more. A run that has left the way stays where it left it.
 */
export type PlaceAt = "done" | "here" | "sent" | "ahead" | "closed";

type Standing = {
  position: Position | undefined;
  state: string;
  presumed?: string;
  /** The state that a run which has left the way came from. */
  before?: string;
};

/** Each part of the way with where it is, read off the chart from where it stands. */
export function placesOf<S extends Stage>(
  stages: readonly S[],
  { position, state, presumed, before }: Standing,
): (S & { at: PlaceAt })[] {
  const of = (name: string | undefined) =>
    stages.findIndex(({ states }) => name !== undefined && states.includes(name));
  const onTheWay = of(state);
  const here = onTheWay < 0 ? of(before) : onTheWay;
  const sent = of(presumed);
  const arrived = position !== undefined && state === position.chart.goal;
  const open = position ? reachable(position.narrowed, state) : undefined;
  return stages.map((stage, place) => {
    if (arrived || place < here) return { ...stage, at: "done" };
    if (place === here) return { ...stage, at: onTheWay < 0 ? "closed" : "here" };
    if (place === sent) return { ...stage, at: "sent" };
    const closed = open !== undefined && !stage.states.some((name) => open.has(name));
    return { ...stage, at: closed ? "closed" : "ahead" };
  });
}

/** At which part of its way a run is, or where it left it, from one. */
export function placeIn(stages: readonly Stage[], standing: Standing): number {
  const passed = placesOf(stages, standing).filter(({ at }) => at === "done" || at === "here");
  return Math.max(passed.length, 1);
}

/** Every state that the chart leads to from here. */
function reachable(narrowed: Narrowed, from: string): Set<string> {
  const found = new Set([from]);
  for (const state of found)
    for (const target of Object.values(narrowed.states[state]?.on ?? {})) found.add(target);
  return found;
}

/** The steps of the plan, each with its states, as the chart has them. */
export function stepsOf(position: Position): (Stage & { step: string })[] {
  const states = Object.entries(position.narrowed.states);
  return position.plan.map((step) => ({
    step,
    states: states.filter(([, { meta }]) => meta.step === step).map(([name]) => name),
  }));
}

/** A change of a run, as its record has it. */
export type Taken = { event: string; from_state: string; to_state: string };

type MapEdge = { from: string; event: string; to: string; taken: boolean };

/** One place of the whole map: a step with its states, or a state of a run without steps. */
export type MapPlace = {
  step: string;
  at: PlaceAt | "outside";
  why: string | undefined;
  edges: MapEdge[];
};

type Whole = {
  chart: Chart;
  plan: readonly string[];
  state: string;
  taken: readonly Taken[];
  skipped: Readonly<Record<string, string>>;
};

/** Every place of a chart for one run, in the chart's own order; of a step that is not in its plan only that. */
export function placesOfChart({ chart, plan, state, taken, skipped }: Whole): MapPlace[] {
  const narrowed = chartFor(chart, plan);
  const open = reachable(narrowed, state);
  const seen = new Set(taken.flatMap(({ from_state, to_state }) => [from_state, to_state]));
  const gone = new Set(
    taken.flatMap(({ event, from_state, to_state }) =>
      (chart.aliases[event] ?? [event]).map((name) => `${from_state} ${name} ${to_state}`),
    ),
  );
  const here = stepOf(state);
  return [...new Set(Object.keys(chart.states).map(stepOf))].map((step) => {
    const states = Object.keys(narrowed.states).filter((name) => stepOf(name) === step);
    const edges = states.flatMap((from) =>
      Object.entries(narrowed.states[from]?.on ?? {}).map(([event, to]) => ({
        from,
        event,
        to,
        taken: gone.has(`${from} ${event} ${to}`),
      })),
    );
    const at = (): MapPlace["at"] => {
      if (states.length === 0) return "outside";
      if (step === here) return "here";
      if (states.some((name) => seen.has(name))) return "done";
      return states.some((name) => open.has(name)) ? "ahead" : "closed";
    };
    return { step, at: at(), why: skipped[step], edges };
  });
}
