import { describe, expect, test } from "vitest";
import { createActor, fromCallback, fromPromise, waitFor } from "xstate";
import { Problem } from "~/shared/api/errors";
import { aKind, anAnswer, TOY_PLAN, without } from "~/testing/runs/a-flow";
import {
  canSend,
  type FlowKind,
  flowActor,
  hasTag,
  type Intent,
  type Outcome,
  presumedState,
  sentOf,
  stateOf,
  stepMeta,
} from "./actor";
import type { RunAnswer } from "./position";

type Told = {
  kind?: FlowKind;
  send?: (intent: Intent) => Promise<Outcome>;
  look?: () => Promise<RunAnswer | null>;
};

function started(first: RunAnswer, { kind = aKind(), send, look }: Told = {}) {
  const machine = flowActor.provide({
    actors: {
      listen: fromCallback(() => undefined),
      send: fromPromise<Outcome, Intent>(
        ({ input }) => send?.(input) ?? Promise.reject(new Error("nothing is sent here")),
      ),
      look: fromPromise<RunAnswer | null, { answer: RunAnswer }>(
        () => look?.() ?? Promise.resolve(null),
      ),
    },
  });
  return createActor(machine, { input: { answer: first, kind } }).start();
}

const ALLOWED = { allowed: ["SUBMIT", "BACK"] };
const at = (actor: ReturnType<typeof started>) => stateOf(actor.getSnapshot());
const drifts = (actor: ReturnType<typeof started>) => actor.getSnapshot().context.drifts;

describe("what the server says", () => {
  test("the event of the next rev takes the chart's edge", () => {
    const actor = started(anAnswer("two", 4));
    const before = actor.getSnapshot().context.position;
    actor.send({ type: "SERVER", answer: anAnswer("two/busy", 5, "SUBMIT") });
    actor.send({ type: "SERVER", answer: anAnswer("three", 6, "OK") });
    expect(at(actor)).toBe("three");
    expect(drifts(actor)).toEqual([]);
    // the same machine went on: nothing was begun anew
    expect(actor.getSnapshot().context.position?.machine).toBe(before?.machine);
  });

  test("what its record calls otherwise is the chart's own event", () => {
    const actor = started(anAnswer("two", 4));
    actor.send({ type: "SERVER", answer: anAnswer("two/busy", 5, "TAP") });
    actor.send({ type: "SERVER", answer: anAnswer("two", 6, "LOG") });
    expect(at(actor)).toBe("two");
    expect(drifts(actor)).toEqual([]);
  });

  test("after missed revs the chart is begun anew, which is no drift", () => {
    const actor = started(anAnswer("one", 4));
    const before = actor.getSnapshot().context.position;
    actor.send({ type: "SERVER", answer: anAnswer("three", 7, "OK") });
    expect(at(actor)).toBe("three");
    expect(actor.getSnapshot().context.position?.machine).not.toBe(before?.machine);
    expect(drifts(actor)).toEqual([]);
  });

  test("progress without a move, and a run that was ended from outside, are no drift", () => {
    const actor = started(anAnswer("two/busy", 4, "SUBMIT"));
    const moved = { rev: 4, event: "SUBMIT", from_state: "two", to_state: "two/busy" };
    actor.send({ type: "SERVER", answer: anAnswer("two/busy", 5, undefined, { moved }) });
    actor.send({ type: "SERVER", answer: anAnswer("refused", 6, "LOST") });
    expect(at(actor)).toBe("refused");
    expect(drifts(actor)).toEqual([]);
  });

  test("another edge than the chart's is drift, and the screen goes on with the server", () => {
    const actor = started(anAnswer("one", 4));
    actor.send({ type: "SERVER", answer: anAnswer("three", 5, "SUBMIT") });
    expect(at(actor)).toBe("three");
    expect(drifts(actor)).toEqual([{ what: "edge", name: "SUBMIT", rev: 5 }]);
  });

  test("a state that the chart does not hold is drift, and nothing can be asked there", () => {
    const actor = started(anAnswer("one", 4));
    actor.send({ type: "SERVER", answer: anAnswer("four", 5, "SUBMIT", ALLOWED) });
    expect(at(actor)).toBe("four");
    expect(canSend(actor.getSnapshot(), "SUBMIT")).toBe(false);
    expect(drifts(actor)).toEqual([{ what: "state", name: "four", rev: 5 }]);
  });

  test("a version without a chart is drift, and is counted once", () => {
    const actor = started(anAnswer("one", 4), {
      kind: { ...aKind(), chartOf: () => undefined },
    });
    actor.send({ type: "SERVER", answer: anAnswer("one", 5) });
    expect(drifts(actor)).toHaveLength(1);
  });

  test("another plan, and the way into it, are begun anew", () => {
    let plan: readonly string[] = [];
    const actor = started(anAnswer("checking", 4), {
      kind: { ...aKind(), planOf: () => plan },
    });
    plan = TOY_PLAN;
    actor.send({ type: "SERVER", answer: anAnswer("two", 5, "OK") });
    expect(at(actor)).toBe("two");
    expect(drifts(actor)).toEqual([]);
  });

  test("an older answer changes nothing", () => {
    const actor = started(anAnswer("two", 4));
    actor.send({ type: "SERVER", answer: anAnswer("one", 3) });
    expect(at(actor)).toBe("two");
  });

  test("tags and meta are those of the state", () => {
    const actor = started(anAnswer("two/busy", 4));
    expect(hasTag(actor.getSnapshot(), "busy")).toBe(true);
    expect(hasTag(actor.getSnapshot(), "ended")).toBe(false);
    expect(stepMeta(actor.getSnapshot())).toEqual({ step: "two", label: "two", turn: "portal" });
  });
});

describe("what a person asks", () => {
  const submit = { type: "SEND", command: { type: "SUBMIT" } } as const;

  test("is shown as sent by the chart's own edge, and confirmed by the server", async () => {
    let settle: (outcome: Outcome) => void = () => undefined;
    const actor = started(anAnswer("two", 4, undefined, ALLOWED), {
      send: () => new Promise((resolve) => (settle = resolve)),
    });
    expect(canSend(actor.getSnapshot(), "SUBMIT")).toBe(true);
    actor.send(submit);
    expect(sentOf(actor.getSnapshot())).toEqual({ type: "SUBMIT" });
    expect(presumedState(actor.getSnapshot())).toBe("two/busy");
    expect(at(actor)).toBe("two");
    expect(canSend(actor.getSnapshot(), "BACK")).toBe(false);
    settle({ kind: "settled", answer: anAnswer("two/busy", 5, "SUBMIT") });
    const after = await waitFor(actor, (now) => now.matches("resting"));
    expect(stateOf(after)).toBe("two/busy");
    expect(presumedState(after)).toBeUndefined();
    expect(drifts(actor)).toEqual([]);
  });

  test("goes out only where the chart and the server agree", () => {
    const sent: string[] = [];
    const send = ({ command }: Intent) => {
      sent.push(command.type);
      return Promise.resolve<Outcome>({ kind: "accepted" });
    };
    started(anAnswer("two", 4), { send }).send(submit); // the server does not allow it
    started(anAnswer("completed", 4, undefined, ALLOWED), { send }).send(submit); // nor does the chart
    expect(sent).toEqual([]);
  });

  test("is off where the chart lacks the edge that the server allows, and the drift is counted", () => {
    const actor = started(anAnswer("two", 4, undefined, ALLOWED), {
      kind: aKind(without("two", "SUBMIT")),
    });
    expect(canSend(actor.getSnapshot(), "SUBMIT")).toBe(false);
    expect(canSend(actor.getSnapshot(), "BACK")).toBe(true);
    expect(drifts(actor)).toEqual([{ what: "allowed", name: "SUBMIT", rev: 4 }]);
  });

  test("is taken back by a refusal, whose words stay, and the screen catches up", async () => {
    const actor = started(anAnswer("two", 4, undefined, ALLOWED), {
      send: () => Promise.reject(new Problem(409, { code: "stale_sequence", detail: "moved" })),
      look: () => Promise.resolve(anAnswer("three", 9, "OK", ALLOWED)),
    });
    actor.send(submit);
    const after = await waitFor(actor, (now) => now.context.answer.rev === 9);
    expect(after.context.problem?.code).toBe("stale_sequence");
    expect(presumedState(after)).toBeUndefined();
    expect(stateOf(after)).toBe("three");
    expect(after.matches("resting")).toBe(true);
  });

  test("that was accepted waits for the live stream", async () => {
    const actor = started(anAnswer("two", 4, undefined, ALLOWED), {
      send: () => Promise.resolve({ kind: "accepted" }),
    });
    actor.send(submit);
    await waitFor(actor, (now) => now.matches("awaiting"));
    actor.send({ type: "SERVER", answer: anAnswer("two/busy", 5, "SUBMIT") });
    expect(actor.getSnapshot().matches("resting")).toBe(true);
  });

  test("is sent again under the same key after a lost reply", async () => {
    const keys: string[] = [];
    const actor = started(anAnswer("two", 4, undefined, ALLOWED), {
      send: ({ key }) => {
        keys.push(key);
        if (keys.length === 1) return Promise.reject(new TypeError("network"));
        return Promise.resolve({ kind: "settled", answer: anAnswer("two/busy", 5, "SUBMIT") });
      },
    });
    actor.send(submit);
    await waitFor(actor, (now) => now.context.problem !== undefined);
    expect(at(actor)).toBe("two");
    actor.send({ type: "AGAIN" });
    await waitFor(actor, (now) => stateOf(now) === "two/busy");
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test("of another run is followed by a look at this one", async () => {
    const actor = started(anAnswer("two", 4), {
      send: () => Promise.resolve({ kind: "elsewhere" }),
      look: () => Promise.resolve(anAnswer("two", 5)),
    });
    actor.send({ type: "SEND", command: { type: "NOTE" } });
    const after = await waitFor(actor, (now) => now.context.answer.rev === 5);
    expect(after.context.problem).toBeUndefined();
  });
});
