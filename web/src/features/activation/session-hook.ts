import { useQueryClient } from "@tanstack/react-query";
import { useActor } from "@xstate/react";
import { useEffect, useState } from "react";
import { fromCallback, fromPromise } from "xstate";
import { live } from "~/shared/live/live";
import { type Action, type Intent, type Outcome, perform } from "./calls";
import { activationQuery } from "./queries";
import { activationSession, type SessionEvent } from "./session";
import type { FlowAnswer } from "./types";

/** One run on screen: what the server last said of it, and the one way to ask it for something. */
export function useActivation(first: FlowAnswer) {
  const cache = useQueryClient();
  const [machine] = useState(() =>
    activationSession.provide({
      actors: {
        listen: fromCallback<SessionEvent, { id: string }>(({ sendBack, input }) =>
          // the stream carries the same answer as the calls
          live.follow(`activation:${input.id}`, (event) =>
            sendBack({ type: "SERVER", answer: event as FlowAnswer }),
          ),
        ),
        send: fromPromise<Outcome, Intent>(({ input }) => perform(input)),
        look: fromPromise<FlowAnswer, { id: string }>(({ input }) =>
          cache.fetchQuery({ ...activationQuery(input.id), staleTime: 0 }),
        ),
      },
    }),
  );
  const [snapshot, send] = useActor(machine, { input: { answer: first } });
  const { answer, problem, intent, drift } = snapshot.context;
  useEffect(() => {
    cache.setQueryData(activationQuery(answer.id).queryKey, answer);
  }, [answer, cache]);
  useEffect(() => {
    send({ type: "SERVER", answer: first });
  }, [first, send]);
  return {
    answer,
    problem,
    drift,
    /** The action on its way, if any. */
    sending: snapshot.matches("editing") ? undefined : intent?.action.type,
    act: (action: Action) => send({ type: "DO", action }),
    again: intent ? () => send({ type: "AGAIN" }) : undefined,
    dismiss: () => send({ type: "DISMISS" }),
  };
}

export type Run = ReturnType<typeof useActivation>;
