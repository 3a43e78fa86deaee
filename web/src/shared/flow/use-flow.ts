import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useRef, useState } from "react";
import { fromCallback, fromPromise } from "xstate";
import { client, type Schemas } from "~/shared/api/client";
import type { Problem } from "~/shared/api/errors";
import { live } from "~/shared/live/live";
import {
  type Command,
  canSend,
  type FlowActor,
  type FlowActorEvent,
  type FlowKind,
  flowActor,
  type Held,
  hasTag,
  heldBack,
  type Intent,
  isOffered,
  type Outcome,
  presumedState,
  sentOf,
  stateOf,
  stepMeta,
} from "./actor";
import { stepOf, type Tag, type Turn } from "./chart";
import { begin, type Drift, type Position, type RunAnswer } from "./position";

/** How a run is reached: its topic of live events, what kind it is, asking something of it, and reading it anew. */
export type FlowCalls<Answer extends RunAnswer, Sent extends Command> = {
  topic: string;
  kind: FlowKind<Answer, Sent>;
  /** `at` is where the run stood when it was asked. Undefined when it was another run that was asked. */
  send(command: Sent, key: string, at: Answer): Promise<Answer | Schemas["Accepted"] | undefined>;
  read(): Promise<Answer | null>;
};

/** One run on screen: where it stands by its chart, what the server last said of it, and the one way to ask it. */
export type Flow<Answer extends RunAnswer = RunAnswer, Sent extends Command = Command> = {
  answer: Answer;
  /** The chart where the run stands; undefined where the chart does not hold that. */
  position: Position | undefined;
  state: string;
  step: string;
  turn: Turn | undefined;
  is(tag: Tag): boolean;
  /** Whether it is shown where the run stands: the chart and the server agree. */
  offered(event: string): boolean;
  /** Whether it may be asked for now: it is offered, and nothing is on its way. */
  can(event: string): boolean;
  /** Why this would not go out if it was asked for now. */
  held(command: Sent): Held | undefined;
  /** What is on its way. */
  sent: Sent["type"] | undefined;
  /** Whether the server has taken that on: it is not refused any more. */
  accepted: boolean;
  /** Where that leads by the chart. */
  presumed: string | undefined;
  /** How often this page was found older than the run. */
  drift: number;
  problem: Problem | undefined;
  /** What was asked when the problem arose. */
  failed: Sent | undefined;
  ask(command: Sent): void;
  again: (() => void) | undefined;
  dismiss(): void;
};

/** Follows one run by its actor, for as long as it is on screen. */
export function useFlow<Answer extends RunAnswer, Sent extends Command>(
  first: Answer,
  calls: FlowCalls<Answer, Sent>,
): Flow<Answer, Sent> {
  const latest = useRef(calls);
  latest.current = calls;
  const [machine] = useState(() =>
    flowActor.provide({
      actors: {
        listen: fromCallback<FlowActorEvent, { answer: RunAnswer }>(({ sendBack }) =>
          // the stream carries the same answer as the calls
          live.follow(latest.current.topic, (event) =>
            sendBack({ type: "SERVER", answer: event as unknown as RunAnswer }),
          ),
        ),
        send: fromPromise<Outcome, Intent>(async ({ input: { command, key, at } }) =>
          // the actor hands back what this very hook gave it
          outcomeOf(await latest.current.send(command as Sent, key, at as Answer)),
        ),
        look: fromPromise<RunAnswer | null, { answer: RunAnswer }>(() => latest.current.read()),
      },
    }),
  );
  const actor = useActorRef(machine, { input: { answer: first, kind: calls.kind } });
  useEffect(() => actor.send({ type: "SERVER", answer: first }), [actor, first]);
  useDriftReport(actor);
  return flowOf<Answer, Sent>(
    actor,
    useSelector(actor, (snapshot) => snapshot),
  );
}

/** A run that is not followed, as the server last told it. */
export function asItStands<Answer extends RunAnswer, Sent extends Command>(
  answer: Answer,
  kind: FlowKind<Answer, Sent>,
) {
  const position = begin(kind.chartOf(answer), kind.planOf(answer), answer);
  return { answer, position, state: answer.state, presumed: undefined };
}

/** What a screen reads of the actor's snapshot. */
export function flowOf<Answer extends RunAnswer, Sent extends Command>(
  actor: FlowActor,
  snapshot: ReturnType<FlowActor["getSnapshot"]>,
): Flow<Answer, Sent> {
  const { answer, position, problem, intent, asked, drifts } = snapshot.context;
  const state = stateOf(snapshot);
  const meta = stepMeta(snapshot);
  return {
    answer: answer as Answer, // only answers of this kind are ever sent to it
    position,
    state,
    step: meta?.step ?? stepOf(state),
    turn: meta?.turn,
    is: (tag) => hasTag(snapshot, tag),
    offered: (event) => isOffered(snapshot, event),
    can: (event) => canSend(snapshot, event),
    held: (command) => heldBack(snapshot, command),
    sent: sentOf(snapshot)?.type,
    accepted: snapshot.matches("awaiting"),
    presumed: presumedState(snapshot),
    drift: drifts.length,
    problem,
    failed: problem && (asked as Sent), // only commands of this kind are ever sent to it
    ask: (command) => actor.send({ type: "SEND", command }),
    again: intent ? () => actor.send({ type: "AGAIN" }) : undefined,
    dismiss: () => actor.send({ type: "DISMISS" }),
  };
}

/** Tells the server once of each thing that shows this page to be older than the run. */
function useDriftReport(actor: FlowActor): void {
  const answer = useSelector(actor, ({ context }) => context.answer);
  const drifts = useSelector(actor, ({ context }) => context.drifts);
  const told = useRef(0);
  useEffect(() => {
    for (const drift of drifts.slice(told.current)) reportDrift(answer, drift);
    told.current = drifts.length;
  }, [drifts, answer]);
}

/** Tells the server that this page is older than a run; nobody waits for it, and nothing hangs on it. */
function reportDrift({ kind, id, version, state }: RunAnswer, drift: Drift): void {
  const body = { kind, id, version, state, ...drift };
  void client.POST("/v1/flows/drift", { body }).catch(() => undefined);
}

function outcomeOf(told: RunAnswer | Schemas["Accepted"] | undefined): Outcome {
  if (told === undefined) return { kind: "elsewhere" };
  return "view" in told ? { kind: "settled", answer: told } : { kind: "accepted" };
}
