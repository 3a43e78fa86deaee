import { expect, test } from "vitest";
import { createActor, fromCallback, fromPromise, waitFor } from "xstate";
import { Problem } from "~/shared/api/errors";
import { anActivation } from "~/testing/an-activation";
import type { Intent, Outcome } from "./calls";
import { activationSession, type SessionEvent } from "./session";
import type { FlowAnswer } from "./types";

type Told = { send: (intent: Intent) => Promise<Outcome>; look?: () => Promise<FlowAnswer> };

function started({ send, look }: Told, first = anActivation("power-on-device")) {
  const machine = activationSession.provide({
    actors: {
      listen: fromCallback<SessionEvent, { id: string }>(() => undefined),
      send: fromPromise<Outcome, Intent>(({ input }) => send(input)),
      look: fromPromise<FlowAnswer, { id: string }>(
        () => look?.() ?? Promise.resolve(anActivation("power-on-device")),
      ),
    },
  });
  return createActor(machine, { input: { answer: first } }).start();
}

const submit = { type: "DO", action: { type: "SUBMIT", data: {} } } as const;

test("moves only when the answer comes, and then to the server's state", async () => {
  let settle: (outcome: Outcome) => void = () => undefined;
  const actor = started({ send: () => new Promise((resolve) => (settle = resolve)) });
  actor.send(submit);
  expect(actor.getSnapshot().matches("sending")).toBe(true);
  expect(actor.getSnapshot().context.answer.state).toBe("power-on-device");
  settle({ kind: "settled", answer: anActivation("set-vehicle-details", { rev: 4, seq: 3 }) });
  const after = await waitFor(actor, (now) => now.matches("editing"));
  expect(after.context.answer.state).toBe("set-vehicle-details");
  expect(after.context.mirror?.snapshot.value).toBe("set-vehicle-details");
  expect(after.context.drift).toBe(0);
});

test("an accepted action waits for the live stream", async () => {
  const actor = started({ send: () => Promise.resolve({ kind: "accepted" }) });
  actor.send(submit);
  await waitFor(actor, (now) => now.matches("awaiting"));
  actor.send({ type: "SERVER", answer: anActivation("set-vehicle-details", { rev: 5, seq: 3 }) });
  expect(actor.getSnapshot().matches("editing")).toBe(true);
});

test("after a lost reply the same intent is sent again under the same key", async () => {
  const keys: string[] = [];
  const actor = started({
    send: ({ key }) => {
      keys.push(key);
      if (keys.length === 1) return Promise.reject(new TypeError("network"));
      const answer = anActivation("set-vehicle-details", { rev: 4, seq: 3 });
      return Promise.resolve({ kind: "settled", answer });
    },
  });
  actor.send(submit);
  await waitFor(actor, (now) => now.context.problem !== undefined);
  expect(actor.getSnapshot().context.problem?.code).toBe("unreachable");
  actor.send({ type: "AGAIN" });
  await waitFor(actor, (now) => now.context.answer.state === "set-vehicle-details");
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test("a refusal is shown, and the screen catches up with the server", async () => {
  const there = anActivation("verify-connection", { rev: 9, seq: 6 });
  const actor = started({
    send: () => Promise.reject(new Problem(409, { code: "stale_sequence", detail: "moved" })),
    look: () => Promise.resolve(there),
  });
  actor.send(submit);
  const after = await waitFor(actor, (now) => now.context.answer.rev === 9);
  expect(after.context.problem?.code).toBe("stale_sequence");
  expect(after.matches("editing")).toBe(true);
});

test("an older snapshot changes nothing", () => {
  const actor = started({ send: () => Promise.reject(new Error("unused")) });
  actor.send({ type: "SERVER", answer: anActivation("check-firmware", { rev: 2 }) });
  expect(actor.getSnapshot().context.answer.state).toBe("power-on-device");
});

test("a jump that the chart does not know is counted as drift", () => {
  const actor = started({ send: () => Promise.reject(new Error("unused")) });
  actor.send({ type: "SERVER", answer: anActivation("send-welcome", { rev: 4 }) });
  expect(actor.getSnapshot().context.answer.state).toBe("send-welcome");
  expect(actor.getSnapshot().context.drift).toBe(1);
});
