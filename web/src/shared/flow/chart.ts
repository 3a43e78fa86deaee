/** What a state is, whichever run it is in: at work, waiting for another, in need of our team, over. */
export type Tag = "busy" | "waiting" | "attention" | "ended";

/** Whose turn it is in a state; an end is nobody's. */
export type Turn = "person" | "device" | "clock" | "portal";

export type StateMeta = { readonly step: string; readonly label: string; readonly turn?: Turn };

/** A flow's chart as the server generates it: plan words in targets, no functions. Twin: `domain/runs/engine.py:resolve_target`. */
export type Chart = {
  readonly id: string;
  readonly initial: string;
  /** Where a run is to arrive. */
  readonly goal: string;
  readonly steps: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly commands?: Readonly<Record<string, string>>;
  /** What the run's record calls an event → the events of the chart that it may be; none, when it is no edge of it. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  readonly states: Readonly<Record<string, ChartState>>;
};

type ChartState = {
  readonly on?: Readonly<Record<string, string>>;
  readonly type?: "final";
  readonly tags: readonly Tag[];
  readonly meta: StateMeta;
};

type NarrowedState = {
  on?: Record<string, string>;
  type?: "final";
  tags: Tag[];
  meta: StateMeta;
};
export type Narrowed = { id: string; initial: string; states: Record<string, NarrowedState> };

/** The part of a state before the slash: `check-firmware/busy` → `check-firmware`. */
export function stepOf(state: string): string {
  return state.split("/", 1)[0] ?? state;
}

/**
 * The chart of one plan: steps outside it are dropped, and NEXT, PREVIOUS, FIRST and ENTRY become states.
 * Before the plan is known (an empty one) only the states outside the steps remain, without the edges into the plan.
 */
export function chartFor(
  chart: Chart,
  plan: readonly string[],
  entry: string | undefined = plan[0],
): Narrowed {
  const steps = new Set(chart.steps);
  const states: Record<string, NarrowedState> = {};
  for (const [name, state] of Object.entries(chart.states)) {
    const step = stepOf(name);
    if (steps.has(step) && !plan.includes(step)) continue;
    const { type, meta } = state;
    const tags = [...state.tags];
    states[name] = type
      ? { type, tags, meta }
      : { on: narrowed(state.on ?? {}, step, plan, entry), tags, meta };
  }
  return { id: chart.id, initial: chart.initial, states };
}

function narrowed(
  on: Readonly<Record<string, string>>,
  step: string,
  plan: readonly string[],
  entry: string | undefined,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [event, target] of Object.entries(on)) {
    const state = resolveTarget(target, step, plan, entry);
    if (state !== undefined) found[event] = state;
  }
  return found;
}

function resolveTarget(
  target: string,
  step: string,
  plan: readonly string[],
  entry: string | undefined,
): string | undefined {
  const at = plan.indexOf(step);
  switch (target) {
    case "NEXT":
      return plan[at + 1] ?? "completed";
    case "PREVIOUS":
      return at > 0 ? plan[at - 1] : "choose-type";
    case "FIRST":
      return plan[0];
    case "ENTRY":
      return entry !== undefined && plan.includes(entry) ? entry : plan[0];
    default:
      return target;
  }
}
