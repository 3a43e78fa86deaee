import { assign, fromCallback, fromPromise, setup } from "xstate";
import { type Problem, problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import { drifted, type FlowSnapshot, type Mirror, mirror } from "~/shared/flow/mirror";
import type { Action, Intent, Outcome } from "./calls";
import { CHARTS } from "./charts";
import type { FlowAnswer, StepName } from "./types";

type Context = {
  answer: FlowAnswer;
  mirror: Mirror | undefined;
  /** Moves for which the chart knew no edge: the chart is older than the server. */
  drift: number;
  intent: Intent | undefined;
  /** The sequence an accepted, unsettled intent started from. */
  awaited: number | undefined;
  problem: Problem | undefined;
};

export type SessionEvent =
  | { type: "SERVER"; answer: FlowAnswer }
  | { type: "DO"; action: Action }
  | { type: "AGAIN" }
  | { type: "DISMISS" };

/** Flow state is the server's. This shell sends one intent at a time, listens, and moves only on what comes back. */
export const activationSession = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent,
    input: {} as { answer: FlowAnswer },
  },
  actors: {
    listen: fromCallback<SessionEvent, { id: string }>(() => undefined),
    send: fromPromise<Outcome, Intent>(() => Promise.reject(new Error("not provided"))),
    look: fromPromise<FlowAnswer, { id: string }>(() => Promise.reject(new Error("not provided"))),
  },
  guards: {
    "the network failed": ({ event }) => problemOf((event as { error?: unknown }).error).passing,
    "a step is on screen": ({ context }) => presentStep(context) !== undefined,
    "it can be sent again": ({ context }) => context.intent !== undefined,
  },
  actions: {
    "take the snapshot": assign(({ context, event }) =>
      event.type === "SERVER" ? taken(context, event.answer) : {},
    ),
    "form the intent": assign({
      intent: ({ context, event }) =>
        event.type === "DO" ? intentOf(context, event.action) : undefined,
      problem: undefined,
    }),
    "note the problem": assign({
      problem: ({ event }) => problemOf((event as { error?: unknown }).error),
    }),
    "forget the problem": assign({ problem: undefined, intent: undefined }),
  },
}).createMachine({
  id: "activation-session",
  context: ({ input }) => ({
    answer: input.answer,
    mirror: mirrored(input.answer),
    drift: 0,
    intent: undefined,
    awaited: undefined,
    problem: undefined,
  }),
  invoke: { src: "listen", input: ({ context }) => ({ id: context.answer.id }) },
  on: { SERVER: { actions: "take the snapshot" } },
  initial: "editing",
  states: {
    editing: {
      on: {
        DO: { guard: "a step is on screen", target: "sending", actions: "form the intent" },
        AGAIN: { guard: "it can be sent again", target: "sending" },
        DISMISS: { actions: "forget the problem" },
      },
    },
    sending: {
      invoke: {
        src: "send",
        input: ({ context }) => {
          if (!context.intent) throw new Error("sending without an intent");
          return context.intent;
        },
        onDone: [
          {
            guard: ({ event }) => event.output.kind === "settled",
            target: "editing",
            actions: assign(({ context, event }) => ({
              ...(event.output.kind === "settled" ? taken(context, event.output.answer) : {}),
              intent: undefined,
              problem: undefined,
            })),
          },
          {
            guard: ({ event }) => event.output.kind === "elsewhere",
            target: "looking",
            actions: "forget the problem",
          },
          {
            target: "awaiting",
            actions: assign({ awaited: ({ context }) => context.intent?.seq, problem: undefined }),
          },
        ],
        onError: [
          { guard: "the network failed", target: "editing", actions: "note the problem" },
          { target: "looking", actions: ["note the problem", assign({ intent: undefined })] },
        ],
      },
    },
    awaiting: {
      always: {
        guard: ({ context }) =>
          context.awaited !== undefined && context.answer.seq > context.awaited,
        target: "editing",
        actions: assign({ awaited: undefined, intent: undefined }),
      },
    },
    looking: {
      // After a refusal the screen may be behind: look before anything else is tried.
      invoke: {
        src: "look",
        input: ({ context }) => ({ id: context.answer.id }),
        onDone: {
          target: "editing",
          actions: assign(({ context, event }) => taken(context, event.output)),
        },
        onError: "editing",
      },
    },
  },
});

function presentStep({ answer: { view } }: Context): StepName | undefined {
  return view.plan.find((name): name is StepName => name === view.step);
}

function intentOf(context: Context, action: Action): Intent | undefined {
  const step = presentStep(context);
  const { id, seq } = context.answer;
  return step && { action, id, step, seq, key: newKey() };
}

function snapshotOf(answer: FlowAnswer): FlowSnapshot {
  const { rev, seq, state, allowed, view } = answer;
  return { rev, seq, state, allowed, plan: view.plan };
}

/** The chart of the run's own version, standing where the run stands; a version without a chart has none. */
function mirrored(answer: FlowAnswer): Mirror | undefined {
  const chart = CHARTS[answer.view.flow_version];
  return chart && mirror(chart, snapshotOf(answer));
}

/** The context after a snapshot: older ones change nothing, a jump without an edge is counted. */
function taken(context: Context, answer: FlowAnswer): Partial<Context> {
  if (answer.id === context.answer.id && answer.rev < context.answer.rev) return {};
  const at = snapshotOf(answer);
  const jumped = context.mirror !== undefined && drifted(context.mirror, at);
  const next = mirrored(answer);
  return {
    answer,
    mirror: next,
    drift: context.drift + (jumped || next === undefined ? 1 : 0),
  };
}
