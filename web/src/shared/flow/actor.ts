import {
  type ActorRefFrom,
  assign,
  fromCallback,
  fromPromise,
  type SnapshotFrom,
  setup,
} from "xstate";
import { type Problem, problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import type { Chart, StateMeta, Tag } from "./chart";
import {
  after,
  type ChartSnapshot,
  type Drift,
  follow,
  metaOf,
  type Position,
  type RunAnswer,
} from "./position";

export type Command = { type: string };

/** One thing that a person asked for: sent again, it is the same one. `at` is where the run stood when it was asked. */
export type Intent = { command: Command; key: string; at: RunAnswer };

/** Where the run stands now; that it was taken on and the live stream will tell; or that another run was asked. */
export type Outcome =
  | { kind: "settled"; answer: RunAnswer }
  | { kind: "accepted" }
  | { kind: "elsewhere" };

/** What one kind of run is to the actor. The plan of a run without steps is empty. */
export type FlowKind<Answer extends RunAnswer = RunAnswer, Sent extends Command = Command> = {
  chartOf(answer: Answer): Chart | undefined;
  planOf(answer: Answer): readonly string[];
  /** The chart's event that a command is; undefined for one that moves no run, or another one. */
  eventOf(command: Sent): string | undefined;
};

type Input = { answer: RunAnswer; kind: FlowKind };

type Context = Input & {
  /** The chart where the server last said that the run stands; undefined for a state that it does not hold. */
  position: Position | undefined;
  /** Where the chart's own edge leads while what was asked for is on its way. */
  presumed: ChartSnapshot | undefined;
  intent: Intent | undefined;
  /** What was asked last; what the problem is of, while there is one. */
  asked: Command | undefined;
  problem: Problem | undefined;
  drifts: readonly Drift[];
};

export type FlowActorEvent =
  | { type: "SERVER"; answer: RunAnswer }
  | { type: "SEND"; command: Command }
  | { type: "AGAIN" }
  | { type: "DISMISS" };

const OVERDUE_MS = 15_000;

/**
 * One followed run. The server's events move its chart; what a person asks for goes out only where the chart and the
 * server both allow it, is shown as sent by the chart's own edge, and is taken back by a refusal.
 */
export const flowActor = setup({
  types: {
    context: {} as Context,
    events: {} as FlowActorEvent,
    input: {} as Input,
  },
  actors: {
    listen: fromCallback<FlowActorEvent, { answer: RunAnswer }>(() => undefined),
    send: fromPromise<Outcome, Intent>(() => Promise.reject(new Error("not provided"))),
    look: fromPromise<RunAnswer | null, { answer: RunAnswer }>(() =>
      Promise.reject(new Error("not provided")),
    ),
  },
  delays: { "the answer is overdue": OVERDUE_MS },
  guards: {
    "the network failed": ({ event }) => problemOf((event as { error?: unknown }).error).passing,
    "chart and server allow it": ({ context, event }) =>
      event.type === "SEND" && allows(context, context.kind.eventOf(event.command)),
    "it can be sent again": ({ context }) => context.intent !== undefined,
    "it had its effect": ({ context }) =>
      context.intent !== undefined && isTaken(context.intent, context),
  },
  actions: {
    "follow the server": assign(({ context, event }) =>
      event.type === "SERVER" ? followed(context, event.answer) : {},
    ),
    "form the intent": assign({
      intent: ({ context, event }) =>
        event.type === "SEND"
          ? { command: event.command, key: newKey(), at: context.answer }
          : undefined,
      asked: ({ event }) => (event.type === "SEND" ? event.command : undefined),
      problem: undefined,
    }),
    "take the chart's own edge": assign({ presumed: ({ context }) => presumed(context) }),
    "put the server's snapshot back": assign({ presumed: undefined }),
    "note the problem": assign({
      problem: ({ event }) => problemOf((event as { error?: unknown }).error),
    }),
    "forget the intent": assign({ intent: undefined }),
    "forget the problem": assign({ problem: undefined, intent: undefined }),
  },
}).createMachine({
  id: "flow",
  context: ({ input: { answer, kind } }) => {
    const { position, drift } = follow(
      undefined,
      kind.chartOf(answer),
      kind.planOf(answer),
      answer,
    );
    return {
      answer,
      kind,
      position,
      presumed: undefined,
      intent: undefined,
      asked: undefined,
      problem: undefined,
      drifts: drift ? [drift] : [],
    };
  },
  invoke: { src: "listen", input: ({ context: { answer } }) => ({ answer }) },
  on: { SERVER: { actions: "follow the server" } },
  initial: "resting",
  states: {
    resting: {
      entry: "put the server's snapshot back",
      on: {
        SEND: {
          guard: "chart and server allow it",
          target: "sending",
          actions: "form the intent",
        },
        AGAIN: { guard: "it can be sent again", target: "sending" },
        DISMISS: { actions: "forget the problem" },
      },
    },
    sending: {
      entry: "take the chart's own edge",
      invoke: {
        src: "send",
        input: ({ context }) => {
          if (!context.intent) throw new Error("sending without an intent");
          return context.intent;
        },
        onDone: [
          {
            guard: ({ event }) => event.output.kind === "settled",
            target: "resting",
            actions: assign(({ context, event }) => ({
              ...(event.output.kind === "settled" ? followed(context, event.output.answer) : {}),
              intent: undefined,
              problem: undefined,
            })),
          },
          {
            guard: ({ event }) => event.output.kind === "elsewhere",
            target: "looking",
            actions: "forget the problem",
          },
          { target: "awaiting", actions: assign({ problem: undefined }) },
        ],
        onError: [
          { guard: "the network failed", target: "resting", actions: "note the problem" },
          {
            target: "looking",
            actions: ["note the problem", "forget the intent", "put the server's snapshot back"],
          },
        ],
      },
    },
    awaiting: {
      always: { guard: "it had its effect", target: "resting", actions: "forget the intent" },
      after: { "the answer is overdue": { target: "looking", actions: "forget the intent" } },
    },
    looking: {
      // After a refusal the screen may be behind: look before anything else is tried.
      invoke: {
        src: "look",
        input: ({ context: { answer } }) => ({ answer }),
        onDone: {
          target: "resting",
          actions: assign(({ context, event }) =>
            event.output ? followed(context, event.output) : {},
          ),
        },
        onError: "resting",
      },
    },
  },
});

export type FlowActor = ActorRefFrom<typeof flowActor>;
type FlowSnapshot = SnapshotFrom<typeof flowActor>;

/** Whether a person may ask for it now: it is offered, and nothing is on its way. */
export function canSend(snapshot: FlowSnapshot, event: string): boolean {
  return snapshot.matches("resting") && isOffered(snapshot, event);
}

/** Why a command, be it an event of the chart or not, does not go out now: something is under way, or the run is elsewhere. */
export type Held = "under-way" | "elsewhere";

export function heldBack(snapshot: FlowSnapshot, command: Command): Held | undefined {
  const { context } = snapshot;
  if (!allows(context, context.kind.eventOf(command)))
    return hasTag(snapshot, "busy") || hasTag(snapshot, "waiting") ? "under-way" : "elsewhere";
  return snapshot.matches("resting") ? undefined : "under-way";
}

/** Whether the chart and the server both allow it where the run stands, whatever is on its way. */
export function isOffered({ context }: FlowSnapshot, event: string): boolean {
  return allows(context, event);
}

/** What is on its way. */
export function sentOf(snapshot: FlowSnapshot): Command | undefined {
  return snapshot.matches("resting") ? undefined : snapshot.context.intent?.command;
}

/** Where the run stands by the server's word; a state that the chart does not hold has no tags and no meta. */
export function stateOf({ context: { position, answer } }: FlowSnapshot): string {
  return position ? String(position.snapshot.value) : answer.state;
}

export function hasTag({ context: { position, answer } }: FlowSnapshot, tag: Tag): boolean {
  // an end that the chart does not hold is one all the same
  return position ? position.snapshot.hasTag(tag) : tag === "ended" && answer.ended;
}

export function stepMeta({ context: { position } }: FlowSnapshot): StateMeta | undefined {
  return position && metaOf(position.snapshot);
}

/** The state that the chart's own edge leads to, while what was asked for is on its way. */
export function presumedState({ context: { presumed } }: FlowSnapshot): string | undefined {
  return presumed && String(presumed.value);
}

function allows({ position, answer }: Context, event: string | undefined): boolean {
  if (event === undefined) return true;
  return (position?.snapshot.can({ type: event }) ?? false) && answer.allowed.includes(event);
}

function presumed({ position, intent, kind }: Context): ChartSnapshot | undefined {
  const event = intent && kind.eventOf(intent.command);
  return position && event !== undefined ? after(position, event) : undefined;
}

/** After a snapshot of the server's: an older one changes nothing. */
function followed(context: Context, answer: RunAnswer): Partial<Context> {
  if (answer.id === context.answer.id && answer.rev < context.answer.rev) return {};
  const { kind, drifts } = context;
  const { position, drift } = follow(
    context.position,
    kind.chartOf(answer),
    kind.planOf(answer),
    answer,
  );
  const told = drift && drifts.some(({ what, name }) => what === drift.what && name === drift.name);
  return { answer, position, drifts: drift && !told ? [...drifts, drift] : drifts };
}

/** Whether the run has moved on by what was asked of it, or past it. */
function isTaken({ at }: Intent, { answer }: Context): boolean {
  return (
    answer.rev > at.rev &&
    (answer.seq > at.seq || answer.state !== at.state || (answer.moved?.rev ?? 0) > at.rev)
  );
}
